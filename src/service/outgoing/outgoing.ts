import { TransformStream } from "node:stream/web";
import { Agent, Response, fetch as undiciFetch } from "undici";
import type { JsonObject } from "../json.ts";
import type { Requester } from "../limiter.ts";
import { decodeWindows1252 } from "../windows-1252.ts";
import { guardedConnector, type Lookup } from "./connect.ts";
import { firstHop, type Hop, nextHop, redirectOf } from "./hop.ts";
import { OutgoingError, toOutgoingError } from "./outgoing-error.ts";
import { createPlaces } from "./places.ts";

export { OutgoingError };

const maxBodySize = 10_000_000;
const maxHeaderSize = 64 * 1024;

export interface OutgoingOptions {
  /** `host:port` pairs that may be reached although they are not public: `allow_private` of `wheelhouse.yaml`. */
  readonly allowPrivate: readonly string[];
  readonly lookup?: Lookup;
}

/** One whole request with its answer. */
interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
  /**
   * In whose name it asks for a place: to one origin not all that a process asks goes at a time, and those who wait take turns.
   * Its own signal means nothing here. Where nothing is said it is nobody's.
   */
  readonly requester?: Requester;
}

interface OutgoingAnswer {
  readonly status: number;
  /** Lower-case names. `set-cookie` is left out: nothing here keeps cookies. */
  readonly headers: JsonObject;
  readonly text: string;
}

/**
 * The only way out of the service, for nodes, models and MCP. Public addresses only, checked where the socket connects;
 * up to five redirects, each checked again; nothing of the request but its address goes to another host; no proxies of
 * the environment; bodies of up to 10 MB after decompression, headers of up to 64 KB.
 */
export interface Outgoing {
  /** @throws OutgoingError; the signal's reason when it is aborted */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /**
   * The same guard in the shape of `fetch`, for clients that take one. The body streams. Throws as `request` does. It waits for
   * no place: a stream may stay open for days, so its client says what is work and what rests.
   */
  readonly fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

/** A way out with connections of its own, which `close` ends. @param lookup in place of the system's own, for tests */
export function createOutgoing({ allowPrivate, lookup }: OutgoingOptions): Outgoing {
  const allowed = new Set(allowPrivate.map(plainPair));
  const places = createPlaces();
  // As many connections as there are requests: whoever must wait does so before, in turn, and no stream that stays open is
  // in the way of anything.
  const agent = new Agent({
    connect: guardedConnector(allowed, lookup),
    maxHeaderSize: maxHeaderSize,
    headersTimeout: 300_000,
    bodyTimeout: 300_000,
  });

  const guardedFetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    // A client that has rules of its own for redirects asks for each step itself, which is then guarded like this one.
    const follows = init.redirect !== "manual";
    return await follow(await firstHop(input, init), (hop) =>
      step(agent, hop, follows, async (came) => came),
    );
  };

  return {
    async request({ url, method, headers, body, signal, requester = { share: [] } }) {
      const first = await firstHop(url, { method, headers, body, signal });
      const read = async (response: Response) => {
        const bytes = await response.arrayBuffer().catch((error: unknown) => {
          const words = "broke off in the middle of its answer";
          throw signal.aborted ? signal.reason : toOutgoingError(error, first.url.host, words);
        });
        const text = decoded(bytes, response.headers.get("content-type"));
        const entries = [...response.headers].filter(([name]) => name !== "set-cookie");
        return { status: response.status, headers: Object.fromEntries(entries), text };
      };
      // Each hop has a place of its own, and none while it waits for another.
      return await follow(first, (hop) =>
        places.run(hop.url.origin, { ...requester, signal }, () => step(agent, hop, true, read)),
      );
    },
    // undici's own Response is the same class as the global one in all that clients use.
    fetch: guardedFetch as unknown as typeof globalThis.fetch,
    close: () => agent.destroy(),
  };
}

type Step<T> =
  | { readonly type: "answer"; readonly answer: T }
  | { readonly type: "redirect"; readonly location: string; readonly status: number };

async function follow<T>(first: Hop, take: (hop: Hop) => Promise<Step<T>>): Promise<T> {
  let hop = first;
  for (let count = 0; ; count++) {
    const came = await take(hop);
    if (came.type === "answer") return came.answer;
    hop = nextHop(hop, came.location, came.status, count);
  }
}

async function step<T>(
  agent: Agent,
  hop: Hop,
  follows: boolean,
  read: (response: Response) => Promise<T>,
): Promise<Step<T>> {
  const response = await send(agent, hop);
  const location = follows ? redirectOf(response) : null;
  if (location === null) return { type: "answer", answer: await read(response) };
  await response.body?.cancel();
  return { type: "redirect", location, status: response.status };
}

/** By the encoding that an answer says it has; UTF-8 where it names none, or one that nobody knows. */
function decoded(bytes: ArrayBuffer, contentType: string | null): string {
  const [, label = "utf-8"] = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "") ?? [];
  try {
    const decoder = new TextDecoder(label);
    return decoder.encoding === "windows-1252"
      ? decodeWindows1252(new Uint8Array(bytes))
      : decoder.decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** A `host:port` as the connector has it: in lower case, IPv6 in its shortest spelling. */
function plainPair(pair: string): string {
  const port = pair.slice(pair.lastIndexOf(":"));
  const host = pair.slice(0, -port.length);
  return (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host.toLowerCase()) + port;
}

async function send(agent: Agent, { url, method, headers, body, signal }: Hop): Promise<Response> {
  try {
    const response = await undiciFetch(url, {
      dispatcher: agent,
      redirect: "manual",
      method,
      headers,
      // A stream needs this; it means nothing for the rest.
      duplex: "half",
      // undici's BodyInit differs from the global one in type, not in what it takes.
      body: body as never,
      signal,
    });
    return capped(response, url.host);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw toOutgoingError(error, url.host);
  }
}

/** The same response with a body that fails when it grows over the limit, counted after decompression. */
function capped(response: Response, host: string): Response {
  if (!response.body) return response;
  let size = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size <= maxBodySize) return controller.enqueue(chunk);
      controller.error(new OutgoingError("too_large", `${host} answered with more than 10 MB`));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}
