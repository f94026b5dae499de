import type { RoomShare } from "../byte-room.ts";
import { ServiceError } from "../service-error.ts";
import type { RequestLike } from "./plain-get.ts";

/** "Limits of ours": 10 MB, counted in bytes as sent. */
export const bodyLimit = 10_000_000;
/** Of a request that needs no credential: whoever sends it is nobody yet. */
export const openBodyLimit = 16_000;
/** Smaller bodies are read without waiting for room. */
const small = 64_000;

const tooLarge = (most: number) =>
  most === bodyLimit
    ? new ServiceError("payload_too_large")
    : new ServiceError("payload_too_large", { message: `The body is larger than ${most / 1_000} kB.` });
const invalid = (message: string) => new ServiceError("invalid_body", { message });

/** What one body may take. */
export interface BodyLimits {
  /** In bytes. */
  readonly most: number;
  /** Where a large one waits for its turn. */
  readonly place: RoomShare;
}

/**
 * The body's text, exactly as sent; "" without one. Whatever `Content-Type` says: all bodies are JSON, and a page of
 * another origin gains nothing by a type that needs no preflight, as no browser adds a credential of ours by itself.
 * Refused before it is read where the headers already say why.
 * @throws ServiceError `payload_too_large` (413), or `invalid_body` (400) for other encodings and bytes
 */
export async function readBody(request: RequestLike, limits: BodyLimits): Promise<string> {
  const bytes = await readBytes(request, limits);
  if (bytes.length === 0) return "";
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") throw invalid("Content-Encoding is not supported: send the body as it is.");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid("The body is not valid UTF-8.");
  }
}

async function readBytes(request: RequestLike, { most, place }: BodyLimits): Promise<Uint8Array> {
  const length = declaredLength(request, most);
  if (length !== null && length <= small) return new Uint8Array(await request.arrayBuffer());
  // One buffer that grows: a million chunks of a byte each would take a hundred times as much.
  let bytes = new Uint8Array(small);
  let size = 0;
  for await (const chunk of chunksOf(request, most)) {
    if (size + chunk.length > bytes.length) {
      const room = Math.min(Math.max(bytes.length * 2, size + chunk.length), length ?? most);
      await place.take(room - bytes.length);
      const grown = new Uint8Array(room);
      grown.set(bytes.subarray(0, size));
      bytes = grown;
    }
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return bytes.subarray(0, size);
}

/** @throws ServiceError `payload_too_large` (413) @returns null where the headers do not say it */
function declaredLength(request: RequestLike, most: number): number | null {
  const declared = request.headers.get("content-length");
  if (declared === null) return null;
  if (Number(declared) > most) throw tooLarge(most);
  return Number(declared);
}

/** The body as it comes, read as fast as it is taken; stops at the first byte too many. */
async function* chunksOf(request: RequestLike, most: number): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > most) throw tooLarge(most);
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/**
 * The body to be passed on as it comes, without keeping any of it.
 * @returns null without one
 * @throws ServiceError `payload_too_large` (413), at once or while it is read
 */
export function passBody(
  request: RequestLike,
): { readonly length: number | null; readonly chunks: AsyncIterable<Uint8Array> } | null {
  const length = declaredLength(request, bodyLimit);
  const chunked = request.headers.get("transfer-encoding") !== null;
  if (!chunked && (length === null || length === 0)) return null;
  return { length, chunks: chunksOf(request, bodyLimit) };
}
