import { openArtifactFile, type ReadLinks } from "../areas/artifact-file.ts";
import type { Context } from "../context.ts";
import type { ByteRange } from "../files/file-store.ts";
import { servedType } from "../files/served-type.ts";
import type { Sender } from "../guessing/guesses.ts";
import { ServiceError } from "../service-error.ts";
import { BoundedMap } from "../store/bounded-map.ts";
import { type Answer, contentDisposition, emptyAnswer } from "./answer.ts";
import { requestContext } from "./request-context.ts";
import { artifactHeaders } from "./security-headers.ts";

/**
 * The bytes behind signed links, with ranges for audio and video. Whatever the file is, it goes out under a policy that
 * lets nothing in it run or load.
 */
export function createSignedFiles(getContext: () => Context | null) {
  // A link lives for a quarter of an hour: so many are read meanwhile where much is read.
  const read: ReadLinks = new BoundedMap(10_000);
  return async (request: Request, from: Sender): Promise<Answer> => {
    const there = getContext();
    if (there === null) throw new ServiceError("unavailable", { message: "The service is starting." });
    const context = requestContext(there, { request, who: "", remoteAddress: from.address ?? "" });
    const address = request.url.slice(request.url.indexOf("/", request.url.indexOf("//") + 2));
    const { fileId, filename, mediaType, disposition } = await openArtifactFile(
      context,
      request.method,
      address,
      from,
      read,
    );
    const size = await context.files.size(fileId);
    if (size === null) throw new ServiceError("not_found");
    const range = readRange(request.headers.get("range"), size);
    if (range === "unsatisfiable") return emptyAnswer(416, { "content-range": `bytes */${size}` });
    const { contentType, inline } = servedType(mediaType);
    const headers: Record<string, string> = {
      ...artifactHeaders,
      "content-type": contentType,
      "content-disposition": contentDisposition(inline ? disposition : "attachment", filename),
      "content-length": String(range ? range.end - range.start + 1 : size),
      "accept-ranges": "bytes",
    };
    if (range) headers["content-range"] = `bytes ${range.start}-${range.end}/${size}`;
    const status = range ? 206 : 200;
    // Nobody would read the stream, and so nobody would close it.
    if (request.method === "HEAD") return { status, headers, body: null };
    const source = await context.files.read(fileId, range ?? undefined);
    if (source === null) throw new ServiceError("not_found");
    const onBroken = (error: unknown) => context.log.error({ err: error, fileId }, "reading a file failed");
    return { status, headers, body: source, onBroken };
  };
}

/** One range of bytes (RFC 9110 §14). @returns null for none, and for several, which are answered whole */
function readRange(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return null;
  const [, first = "", last = ""] = match;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start >= size || start > end ? "unsatisfiable" : { start, end };
}
