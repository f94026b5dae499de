import { readBytes } from "./body-bytes.ts";

/** One good answer of the service as it came, before anything is read in it. Plain data: another tab can be given it. */
export interface PlainAnswer {
  readonly url: string;
  readonly etag: string | null;
  /** Those that the console reads, by their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: what has this ETag is still so (304). */
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** An answer for somebody who has not asked the service: its body can be one that still comes. */
export interface GivenAnswer extends Omit<PlainAnswer, "body"> {
  readonly body: PlainAnswer["body"] | ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Longer bodies are not copied: giving them away would cost the page more than another request costs the service. */
const longest = 500_000;

const kept = ["etag", "date", "x-request-id", "content-type"];

/** A fetch that copies what it is answered. `copy` is null for anything but a good answer that is not too long. */
export function copying(fetcher: typeof fetch): {
  readonly fetch: typeof fetch;
  readonly copy: () => Promise<PlainAnswer | null>;
} {
  let copy: Promise<PlainAnswer | null> = Promise.resolve(null);
  return {
    fetch: async (url, init) => {
      const response = await fetcher(url, init);
      copy = copyOf(String(url), askedFor(init), response).catch(() => null);
      return response;
    },
    copy: () => copy,
  };
}

/**
 * A fetch that answers with what another tab, or this page before, was answered; a 304 to whoever has that already.
 * @throws TypeError at another address, and for a 304 about something that is not there
 */
export function answering(answer: GivenAnswer): typeof fetch {
  return async (url, init) => {
    const { headers, etag, body } = answer;
    if (String(url) !== answer.url) throw new TypeError("Not what was asked");
    if (etag !== null && askedFor(init) === etag) return new Response(null, { status: 304, headers });
    if (body === null) throw new TypeError("Nothing that is here is still so");
    return new Response(body, { headers });
  };
}

const askedFor = (init: RequestInit | undefined): string | null =>
  new Headers(init?.headers).get("if-none-match");

const keptOf = (response: Response): PlainAnswer["headers"] =>
  Object.fromEntries(
    kept.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

/**
 * A good answer (200) of which nothing was read, to be given to a worker.
 * @returns it, and what is handed over with it: its body as it comes, or as a whole where this browser hands over no streams
 * @throws what reading the body throws
 */
export async function givenOf(
  url: string,
  response: Response,
): Promise<{ readonly given: GivenAnswer; readonly transfer: Transferable[] }> {
  const headers = keptOf(response);
  const answer = { url, etag: headers.etag ?? null, headers };
  const { body } = response;
  if (body !== null && handsOverStreams()) return { given: { ...answer, body }, transfer: [body] };
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { given: { ...answer, body: bytes }, transfer: [bytes.buffer] };
}

function handsOverStreams(): boolean {
  try {
    const stream = new ReadableStream();
    structuredClone(stream, { transfer: [stream] });
    return true;
  } catch {
    return false;
  }
}

async function copyOf(url: string, had: string | null, response: Response): Promise<PlainAnswer | null> {
  const { status } = response;
  const headers = keptOf(response);
  if (status === 304) return { url, etag: had, headers, body: null };
  if (status !== 200 || Number(response.headers.get("content-length")) > longest) return null;
  const { bytes: body, isWhole } = await readBytes(response.clone(), longest);
  return isWhole ? { url, etag: headers.etag ?? null, headers, body } : null;
}
