import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, createGzip, gzip, constants as zlib } from "node:zlib";
import type { Answer } from "./answer.ts";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Smaller bodies fit into one packet anyway. */
const threshold = 1024;

/**
 * The answer compressed as the client accepts, off the event loop. Streams of bytes (zips, files) pass as they are.
 * @param accepted the request's Accept-Encoding
 */
export async function compress(answer: Answer, accepted: string | null): Promise<Answer> {
  const { body, headers } = answer;
  if (body instanceof Readable) return answer.isText ? compressStream(answer, body, accepted) : answer;
  if (typeof body !== "string" || body.length < threshold) return answer;
  const encoding = preferredEncoding(accepted);
  const vary = { ...headers, vary: "accept-encoding" };
  if (encoding === null) return { ...answer, headers: vary };
  const bytes =
    encoding === "br"
      ? await brotli(body, {
          params: {
            [zlib.BROTLI_PARAM_QUALITY]: body.length > 200_000 ? 2 : 4,
            [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
            [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
          },
        })
      : await deflate(body, { level: body.length > 200_000 ? 3 : 6 });
  return { ...answer, headers: { ...vary, "content-encoding": encoding }, body: bytes };
}

/** By gzip alone: a stream may stand for long, and brotli keeps megabytes for each. */
function compressStream(answer: Answer, source: Readable, accepted: string | null): Answer {
  const headers = { ...answer.headers, vary: "accept-encoding" };
  if (!qualityOf(accepted, "gzip")) return { ...answer, headers };
  // Whoever reads what is compressed hears of a source that broke.
  const body = pipeline(source, createGzip({ level: 3 }), () => {});
  return { ...answer, headers: { ...headers, "content-encoding": "gzip" }, body, isText: false };
}

/** @returns null when the client wants the body as it is */
export function preferredEncoding(accepted: string | null): "br" | "gzip" | null {
  const [br, gzip] = [qualityOf(accepted, "br"), qualityOf(accepted, "gzip")];
  if (br > 0 && br >= gzip) return "br";
  return gzip > 0 ? "gzip" : null;
}

/** How much a client wants this encoding; 0: not at all. */
function qualityOf(accepted: string | null, encoding: "br" | "gzip"): number {
  if (accepted === null) return 0;
  const quality = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(",")) {
    const [name, ...parameters] = part.split(";").map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    if (name) quality.set(name, q === undefined ? 1 : Number(q) || 0);
  }
  return quality.get(encoding) ?? quality.get("*") ?? 0;
}
