import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import type { Answer } from "./answer.ts";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Smaller bodies fit into one packet anyway. */
const threshold = 1024;

/**
 * The answer compressed as the client accepts, off the event loop. Streams (zips, files) pass as they are.
 * @param accepted the request's Accept-Encoding
 */
export async function compress(answer: Answer, accepted: string | null): Promise<Answer> {
  const { body, headers } = answer;
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

/** @returns null when the client wants the body as it is */
export function preferredEncoding(accepted: string | null): "br" | "gzip" | null {
  if (accepted === null) return null;
  const quality = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(",")) {
    const [name, ...parameters] = part.split(";").map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    if (name) quality.set(name, q === undefined ? 1 : Number(q) || 0);
  }
  const wanted = (name: string) => quality.get(name) ?? quality.get("*") ?? 0;
  if (wanted("br") > 0 && wanted("br") >= wanted("gzip")) return "br";
  return wanted("gzip") > 0 ? "gzip" : null;
}
