import type { Context } from "../context.ts";
import type { ByteRange } from "../files/file-store.ts";
import { openFileLink } from "../files/signed-link.ts";
import { ServiceError } from "../service-error.ts";
import { type Answer, contentDisposition, emptyAnswer, streamBody } from "./answer.ts";
import { artifactHeaders } from "./security-headers.ts";

/**
 * The bytes behind signed links, with ranges for audio and video. Whatever the file is, it goes out under a policy that
 * lets nothing in it run or load.
 */
export function createSignedFiles(getContext: () => Context | null) {
  return async (request: Request): Promise<Answer> => {
    if (request.method !== "GET" && request.method !== "HEAD") throw new ServiceError("method_not_allowed");
    const context = getContext();
    if (context === null) throw new ServiceError("unavailable", { message: "The service is starting." });
    const address = request.url.slice(request.url.indexOf("/", request.url.indexOf("//") + 2));
    const link = openFileLink(context.signer, address, context.clock.now());
    if (link.type !== "file") {
      const message =
        link.type === "expired" ? "This link has expired: ask for a new one." : "This link is not valid.";
      throw new ServiceError("forbidden", { message });
    }
    const { fileId, filename, mediaType } = link.file;
    const size = await context.files.size(fileId);
    if (size === null) throw new ServiceError("not_found");
    const range = readRange(request.headers.get("range"), size);
    if (range === "unsatisfiable") return emptyAnswer(416, { "content-range": `bytes */${size}` });
    const source = await context.files.read(fileId, range ?? undefined);
    if (source === null) throw new ServiceError("not_found");
    const headers: Record<string, string> = {
      ...artifactHeaders,
      "content-type": safeType(mediaType),
      "content-disposition": contentDisposition("inline", filename),
      "content-length": String(range ? range.end - range.start + 1 : size),
      "accept-ranges": "bytes",
    };
    if (range) headers["content-range"] = `bytes ${range.start}-${range.end}/${size}`;
    const failed = (error: unknown) => context.log.error({ err: error, fileId }, "reading a file failed");
    return { status: range ? 206 : 200, headers, body: streamBody(source, failed) };
  };
}

/** A media type is text from outside: anything but a plain one would break the header. */
function safeType(mediaType: string): string {
  const plain = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*charset=[\w-]+)?$/.test(mediaType);
  if (!plain) return "application/octet-stream";
  return mediaType.startsWith("text/") && !mediaType.includes(";")
    ? `${mediaType}; charset=utf-8`
    : mediaType;
}

/** One range of bytes (RFC 9110 §14). @returns null for none, and for several, which are answered whole */
export function readRange(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return null;
  const [, first = "", last = ""] = match;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start >= size || start > end ? "unsatisfiable" : { start, end };
}
