import { Readable } from "node:stream";
import { Agent, type Dispatcher, request as send } from "undici";
import { linkPasswordHeader } from "../../contract/access.ts";
import type { Upstream } from "../config.ts";
import { ServiceError } from "../service-error.ts";
import type { Answer } from "./answer.ts";
import { passBody } from "./body.ts";
import { publicHeaders } from "./request-headers.ts";
import { apiHeaders } from "./security-headers.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** What says where a browser came from, and what the connection to the other service says for itself. */
const dropped =
  /^(?:host|origin|referer|content-length|expect|forwarded|x-forwarded-.*|x-real-ip|sec-.*|via)$/;

/** All that an answer may bring along: no cookie, no policy and no CORS header of another service counts on our origin. */
const passed = [
  "content-type",
  "content-encoding",
  "content-length",
  "content-disposition",
  "content-range",
  "accept-ranges",
  "etag",
  "last-modified",
  "retry-after",
  "allow",
  "x-request-id",
] as const;

/**
 * Other services of the same interface, below `/upstream/NAME/api/v1`. The operator fixed the addresses; the caller's
 * credential goes there and nowhere else: a redirect is not followed.
 */
export function createUpstreams(upstreams: readonly Upstream[]) {
  const targets = new Map(upstreams.map(({ name, url }) => [name, new URL(url)]));
  const agent = new Agent({ connect: { timeout: 10_000 }, headersTimeout: 60_000, bodyTimeout: 60_000 });
  return async (name: string, request: Request, requestId: string): Promise<Answer> => {
    const target = targets.get(name);
    if (!target) throw new ServiceError("not_found", { message: "This service offers no such connection." });
    const method = methods.find((known) => known === request.method);
    if (!method) throw new ServiceError("method_not_allowed");
    // Nobody has looked at the credential yet: the body goes on as it comes, and none of it is kept.
    const body = method === "GET" || method === "DELETE" ? null : passBody(request);
    const headers = forwardedHeaders(request.headers, requestId);
    if (body !== null && body.length !== null) headers["content-length"] = String(body.length);
    const answer = await send(addressBelow(target, request.url), {
      dispatcher: agent,
      method,
      headers,
      body: body && Readable.from(body.chunks),
      signal: request.signal,
    }).catch((cause: unknown) => {
      throw cause instanceof ServiceError ? cause : new ServiceError("upstream_failed", { cause });
    });
    if (answer.statusCode >= 300 && answer.statusCode < 400 && answer.statusCode !== 304) {
      discard(answer.body);
      throw new ServiceError("upstream_failed", {
        message:
          "The service behind this connection responds with a redirect: use its final address in --upstream.",
      });
    }
    const shown: Record<string, string> = { ...apiHeaders };
    // A page of another service must not become a page of ours, wherever it is opened.
    shown["content-security-policy"] = "sandbox; default-src 'none'; frame-ancestors 'none'";
    for (const header of passed) {
      const value = answer.headers[header];
      if (typeof value === "string") shown[header] = value;
    }
    const empty = answer.statusCode === 204 || answer.statusCode === 304;
    if (empty) discard(answer.body);
    return {
      status: answer.statusCode,
      headers: shown,
      body: empty ? null : answer.body,
    };
  };
}

/** Reads what is left of a body that nobody wants, so that the connection can be used again. */
function discard(body: Dispatcher.ResponseData["body"]): void {
  body.dump().catch(() => {});
}

/** The path below the operator's address, already normalised by the URL parser, so that it cannot climb out. */
function addressBelow(target: URL, requestUrl: string): URL {
  const { pathname, search } = new URL(requestUrl);
  const rest = /^\/upstream\/[^/]+\/api\/v1(\/.*)$/.exec(pathname)?.[1];
  const base = target.pathname.replace(/\/$/, "");
  const address = new URL(`${target.origin}${base}${rest}${search}`);
  if (rest === undefined || !address.pathname.startsWith(`${base}/`)) throw new ServiceError("not_found");
  return address;
}

function forwardedHeaders(headers: Headers, requestId: string): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const [name, value] of publicHeaders(headers)) if (!dropped.test(name)) forwarded[name] = value;
  for (const name of ["authorization", "x-auth-key", linkPasswordHeader]) {
    const value = headers.get(name);
    if (value !== null) forwarded[name] = value;
  }
  forwarded["x-request-id"] = requestId;
  return forwarded;
}
