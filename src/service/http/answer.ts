import type { Readable } from "node:stream";
import type { Cacheable } from "./answer-cache.ts";
import { apiHeaders, unchangedHeaders } from "./security-headers.ts";

/** A response before it is compressed. Headers are plain objects in lower case: the server writes those fastest. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null;
  /** Where it may be given again. */
  readonly cacheable?: Cacheable | undefined;
}

/** A JSON answer of the API. @param body JSON text */
export function jsonAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
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

/**
 * A node stream as a web stream. Reads only as fast as the client takes it; a client that leaves ends the source.
 * @param failed hears why the source broke; the client only sees a cut connection, never the reason
 */
export function streamBody(
  source: Readable,
  failed: (error: unknown) => void,
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
          failed(error);
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
