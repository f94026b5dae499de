import { ServiceError } from "../service-error.ts";
import type { RequestLike } from "./plain-get.ts";

/** "Limits of ours": 10 MB, counted in bytes as sent. */
export const bodyLimit = 10_000_000;

const tooLarge = () => new ServiceError("payload_too_large");
const invalid = (message: string) => new ServiceError("invalid_body", { message });

/**
 * The body's text, exactly as sent; "" without one. Whatever `Content-Type` says: all bodies are JSON, and a page of
 * another origin gains nothing by a type that needs no preflight, as no browser adds a credential of ours by itself.
 * Refused before it is read where the headers already say why.
 * @throws ServiceError `payload_too_large` (413), or `invalid_body` (400) for other encodings and bytes
 */
export async function readBody(request: RequestLike): Promise<string> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return "";
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") throw invalid("Content-Encoding is not supported: send the body as it is.");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid("The body is not valid UTF-8.");
  }
}

/**
 * The body's bytes, whatever they are.
 * @throws ServiceError `payload_too_large` (413)
 */
export async function readBytes(request: RequestLike): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > bodyLimit) throw tooLarge();
  const bytes = length === null ? await readChunks(request) : new Uint8Array(await request.arrayBuffer());
  if (bytes.length > bodyLimit) throw tooLarge();
  return bytes;
}

/** Without a length nothing is known beforehand: stop at the first byte too many. */
async function readChunks(request: RequestLike): Promise<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > bodyLimit) {
      await reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks);
}
