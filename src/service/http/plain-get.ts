import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { type Answer, inPieces } from "./answer.ts";

/** What is read of a request: a `Request` has it, and node's own request of a plain GET can give it for less. */
export interface RequestLike extends Pick<Request, "url" | "body" | "arrayBuffer" | "signal"> {
  readonly headers: Pick<Headers, "get" | "forEach">;
}

/** Addresses that mean the same to `URL` and to a plain cut at the `?`. */
const plainAddress = /^\/[\w./~-]*(?:\?[\w.~%&=+,:/-]*)?$/;
const plainHost = /^[\w.-]+(?::\d{1,5})?$/;

/** Whether this request may be read as it is: a GET whose address holds nothing that has to be normalised first. */
export function isPlainGet({ method, url = "", headers }: IncomingMessage): boolean {
  return method === "GET" && plainHost.test(headers.host ?? "") && plainAddress.test(url);
}

/** A plain GET as the routes read requests; a body that came with it is not read. */
export class PlainGet implements RequestLike {
  readonly url: string;
  readonly body = null;
  readonly headers: RequestLike["headers"];
  readonly #outgoing: ServerResponse;
  #signal: AbortSignal | null = null;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.url = incoming.url ?? "/";
    this.#outgoing = outgoing;
    this.headers = {
      get: (name) => textOf(incoming.headers[name]),
      forEach: (visit) => new Headers(pairsOf(incoming.rawHeaders)).forEach(visit),
    };
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new ArrayBuffer(0);
  }

  /** Aborted when the client leaves before its answer. */
  get signal(): AbortSignal {
    this.#signal ??= leaving(this.#outgoing);
    return this.#signal;
  }
}

function leaving(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const closed = () => outgoing.writableFinished || gone.abort();
  if (outgoing.closed) closed();
  else outgoing.once("close", closed);
  return gone.signal;
}

function textOf(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : (value?.join(", ") ?? null);
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as [string, string]] : []));
}

/** An answer as node writes it fastest: header names and values in one list. */
export interface Packed extends Pick<Answer, "status" | "body" | "onBroken"> {
  readonly headers: readonly string[];
}

/** A short body stays as it is, and can be written again and again; a long one becomes a stream. */
export function pack({ status, headers, body: whole, onBroken }: Answer): Packed {
  const { body, length } = inPieces(whole);
  const sized = length === null ? [] : ["content-length", String(length)];
  return {
    ...{ status, body, headers: [...Object.entries(headers).flat(), ...sized] },
    ...(onBroken && { onBroken }),
  };
}

/** Writes an answer under the request's id; a stream as fast as the client takes it. */
export function write(outgoing: ServerResponse, requestId: string, packed: Packed): void {
  const { status, headers, body, onBroken } = packed;
  outgoing.writeHead(status, ["x-request-id", requestId, ...headers]);
  if (body === null) outgoing.end();
  else if (body instanceof Readable) {
    pipeline(body, outgoing, (error) => {
      // A client that leaves is no fault of ours.
      if (error && body.errored && error.code !== "ERR_STREAM_PREMATURE_CLOSE") onBroken?.(error);
    });
  } else outgoing.end(body);
}
