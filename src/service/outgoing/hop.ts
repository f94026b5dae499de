import { Headers, type Response } from "undici";
import { bareHost } from "./addresses.ts";
import { OutgoingError } from "./outgoing-error.ts";

const maxRedirects = 5;

/** One request of those that a chain of redirects is. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: RequestInit["body"];
  readonly signal: AbortSignal | null;
}

/** The first of a chain, as `fetch` takes it. @throws OutgoingError `invalid` */
export async function firstHop(input: string | URL | Request, init: RequestInit): Promise<Hop> {
  const request = input instanceof Request ? input : null;
  return {
    url: webAddress(request ? request.url : String(input)),
    method: (init.method ?? request?.method ?? "GET").toUpperCase(),
    headers: new Headers([...new globalThis.Headers(init.headers ?? request?.headers)]),
    body: init.body ?? (request?.body ? await request.arrayBuffer() : null),
    signal: init.signal ?? request?.signal ?? null,
  };
}

/** Where an answer sends its request on; null: nowhere. */
export function redirectOf({ status, headers }: Response): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? headers.get("location") : null;
}

/**
 * The one after it. Nothing of the request but its address, and what it accepts, goes to another host.
 * @param count how many redirects there were before
 * @throws OutgoingError `redirects`, `invalid`
 */
export function nextHop(
  { url, headers, signal, ...hop }: Hop,
  location: string,
  status: number,
  count: number,
): Hop {
  if (count >= maxRedirects) throw new OutgoingError("redirects", `${url.host} redirects too often`);
  const next = webAddress(location, url);
  let { method, body } = hop;
  const sent = new Headers(headers);
  // As the Fetch standard has it: a DELETE that becomes a GET is answered well, and nothing was deleted.
  const reads = method === "GET" || method === "HEAD";
  const keepsBody = reads || status >= 307 || (status !== 303 && method !== "POST");
  if (!keepsBody) {
    method = "GET";
    body = null;
    sent.delete("content-type");
  }
  if (next.origin === url.origin) return { url: next, method, headers: sent, body, signal };
  if (method !== "GET" && method !== "HEAD") {
    throw new OutgoingError("redirects", `${url.host} redirects a ${method} to another host`);
  }
  const accept = headers.get("accept");
  return { url: next, method, headers: new Headers(accept === null ? {} : { accept }), body, signal };
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
