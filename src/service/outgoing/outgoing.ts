import { TransformStream } from "node:stream/web";
import { Agent, Headers, Response, fetch as undiciFetch } from "undici";
import type { JsonObject } from "../json.ts";
import { bareHost } from "./addresses.ts";
import { guardedConnector, type Lookup } from "./connect.ts";
import { OutgoingError, toOutgoingError } from "./outgoing-error.ts";

export { OutgoingError };

const maxRedirects = 5;
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
  /** The same guard in the shape of `fetch`, for clients that take one. The body streams. Throws as `request` does. */
  readonly fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

export function createOutgoing({ allowPrivate, lookup }: OutgoingOptions): Outgoing {
  const allowed = new Set(allowPrivate.map(plainPair));
  const agent = new Agent({
    connect: guardedConnector(allowed, lookup),
    maxHeaderSize: maxHeaderSize,
    headersTimeout: 300_000,
    bodyTimeout: 300_000,
    connections: 50,
  });

  const guardedFetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request = input instanceof Request ? input : null;
    let url = webAddress(request ? request.url : String(input));
    let method = (init.method ?? request?.method ?? "GET").toUpperCase();
    let headers = new Headers([...new globalThis.Headers(init.headers ?? request?.headers)]);
    let body = init.body ?? (request?.body ? await request.arrayBuffer() : null);
    const signal = init.signal ?? request?.signal ?? null;
    for (let hop = 0; ; hop++) {
      const response = await send(agent, url, { method, headers, body, signal });
      const location = response.headers.get("location");
      const redirects = [301, 302, 303, 307, 308].includes(response.status) && location !== null;
      // A client that has rules of its own for redirects asks for each step itself, which is then guarded like this one.
      if (!redirects || init.redirect === "manual") return response;
      await response.body?.cancel();
      if (hop >= maxRedirects) throw new OutgoingError("redirects", `${url.host} redirects too often`);
      const next = webAddress(location, url);
      const keepsBody = response.status >= 307 || method === "GET" || method === "HEAD";
      if (!keepsBody) {
        method = "GET";
        body = null;
        headers.delete("content-type");
      }
      if (next.origin !== url.origin) {
        if (method !== "GET" && method !== "HEAD") {
          throw new OutgoingError("redirects", `${url.host} redirects a ${method} to another host`);
        }
        const accept = headers.get("accept");
        headers = new Headers(accept === null ? {} : { accept });
      }
      url = next;
    }
  };

  return {
    async request({ url, method, headers, body, signal }) {
      const response = await guardedFetch(url, { method, headers, body, signal });
      const text = await response.text().catch((error: unknown) => {
        throw signal.aborted ? signal.reason : toOutgoingError(error, new URL(url).host);
      });
      const entries = [...response.headers].filter(([name]) => name !== "set-cookie");
      return { status: response.status, headers: Object.fromEntries(entries), text };
    },
    // undici's own Response is the same class as the global one in all that clients use.
    fetch: guardedFetch as unknown as typeof globalThis.fetch,
    close: () => agent.destroy(),
  };
}

/** A `host:port` as the connector has it: in lower case, IPv6 in its shortest spelling. */
function plainPair(pair: string): string {
  const port = pair.slice(pair.lastIndexOf(":"));
  const host = pair.slice(0, -port.length);
  return (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host.toLowerCase()) + port;
}

function webAddress(text: string, from?: URL): URL {
  const base = from?.href;
  if (!URL.canParse(text, base)) throw new OutgoingError("invalid", "the address is not a valid URL");
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new OutgoingError("invalid", `the address must begin with http or https, not ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutgoingError("invalid", "the address must not hold a user name or password");
  }
  if (bareHost(url.hostname) === "") throw new OutgoingError("invalid", "the address has no host");
  return url;
}

interface Sending {
  readonly method: string;
  readonly headers: Headers;
  readonly body: RequestInit["body"];
  readonly signal: AbortSignal | null;
}

async function send(agent: Agent, url: URL, { method, headers, body, signal }: Sending): Promise<Response> {
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
