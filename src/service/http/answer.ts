import { Readable } from "node:stream";
import type { Cacheable } from "./answer-cache.ts";
import { apiHeaders, unchangedHeaders } from "./security-headers.ts";

/** A response before it is compressed. Headers are plain objects in lower case: the server writes those fastest. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is read only as fast as the client takes it. */
  readonly body: string | Uint8Array<ArrayBuffer> | Readable | null;
  /** Hears why a stream broke; the client only sees a cut connection, never the reason. */
  readonly onBroken?: (error: unknown) => void;
  /** Whether a stream is text that is worth compressing; files and zips go out as they are. */
  readonly isText?: boolean;
  /** Where it may be given again. */
  readonly cacheable?: Cacheable | undefined;
}

/** A JSON answer of the API. @param body JSON text */
export function jsonAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer & { readonly body: string } {
  return {
    status,
    headers: { ...apiHeaders, "content-type": "application/json; charset=utf-8", ...headers },
    body,
  };
}

/** An answer of the API without a body. */
export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { ...apiHeaders, ...headers }, body: null };
}

/** 304: what the client has is still right. Without a body there is nothing that a policy could be about. */
export function unchangedAnswer(etag: string): Answer {
  return { status: 304, headers: { ...unchangedHeaders, etag }, body: null };
}

/** Longer bodies go out in pieces of this size: whether a client reads shows only between two writes. In bytes. */
const pieceLength = 65_536;

/**
 * A long body that is there as a whole becomes a stream of its pieces; others are as they were.
 * @returns with its length in bytes; null of a stream
 */
export function inPieces(body: Answer["body"]): {
  readonly body: Answer["body"];
  readonly length: number | null;
} {
  if (body === null || body instanceof Readable) return { body, length: null };
  if (body.length <= pieceLength) return { body, length: Buffer.byteLength(body) };
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return { body: Readable.from(piecesOf(bytes)), length: bytes.length };
}

function* piecesOf(bytes: Uint8Array<ArrayBuffer>) {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}

/** A node stream as a web stream. Reads only as fast as the client takes it; a client that leaves ends the source. */
export function webStream(
  source: Readable,
  onBroken: (error: unknown) => void = () => {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  // A source that is ended early may say so as an error event, which nobody else hears.
  source.on("error", () => {});
  const chunks: AsyncIterator<Uint8Array<ArrayBuffer> | string> = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (next.done) controller.close();
          else controller.enqueue(typeof next.value === "string" ? Buffer.from(next.value) : next.value);
        } catch (error) {
          onBroken(error);
          controller.error(new Error("The answer was cut short"));
        }
      },
      cancel() {
        source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The header of a download whose name may hold anything (RFC 6266): an ASCII name, and the real one in UTF-8. */
export function contentDisposition(type: "attachment" | "inline", filename: string): string {
  const plain = filename.normalize("NFKD").replaceAll(/[^\x20-\x7e]|["\\%/]/g, "_");
  const encoded = encodeURIComponent(filename.replaceAll(/\p{Surrogate}/gu, "\uFFFD")).replaceAll(
    /['()*]/g,
    hex,
  );
  return `${type}; filename="${plain.slice(0, 200)}"; filename*=UTF-8''${encoded.slice(0, 2000)}`;
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
