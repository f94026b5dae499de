import { createHash } from "node:crypto";
import type { Endpoint } from "../../contract/define.ts";
import type { Cookie, Handler, Reply, Request as ServiceRequest } from "../areas/handler.ts";
import { isFresh } from "../areas/interactions.ts";
import type { Context } from "../context.ts";
import type { Identity } from "../credentials/authenticate.ts";
import { readSecret } from "../credentials/read-credential.ts";
import { ServiceError } from "../service-error.ts";
import {
  type Answer,
  contentDisposition,
  emptyAnswer,
  jsonAnswer,
  streamBody,
  unchangedAnswer,
} from "./answer.ts";
import type { Cacheable } from "./answer-cache.ts";
import { readBody } from "./body.ts";
import { parseJson } from "./json.ts";
import { parsePart } from "./parse-request.ts";
import type { RequestLike } from "./plain-get.ts";
import { checkText, readQuery } from "./query.ts";
import { namedHeaders, publicHeaders } from "./request-headers.ts";
import type { RequestRecord } from "./request-record.ts";

/** One request as the router hands it over. */
export interface RoutedRequest {
  readonly request: RequestLike;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly remoteAddress: string;
  /** Its id and its log; hears who asks as soon as that is known. */
  readonly record: Pick<RequestRecord, "id" | "log" | "identify">;
}

/**
 * An endpoint and its function as one call: authenticate, parse the path, the query and the body, call, render. That
 * order is decided: nothing of a body is read before the credential held.
 * @param checkAnswers parse what the function answers by the contract, in tests and development
 * @throws ServiceError, or whatever the function threw
 */
export function createRoute<E extends Endpoint>(endpoint: E, handler: Handler<E>, checkAnswers: boolean) {
  return async (context: Context, routed: RoutedRequest): Promise<Answer> => {
    const { request, params } = routed;
    const search = searchOf(request.url);
    const secret = endpoint.auth === "none" ? null : secretOf(endpoint, request, search);
    const serve = secret !== null && handler.ahead ? handler.ahead(context, search) : handler;
    const identity = endpoint.auth === "none" ? null : await identify(context, endpoint, request, secret);
    if (identity) routed.record.identify(identity.caller);
    for (const [name, value] of Object.entries(params)) checkText(value, name);
    const parsedParams = parsePart(endpoint, "params", params);
    const query = parsePart(endpoint, "query", readQuery(search));
    const headerFields = parsePart(endpoint, "headers", namedHeaders(endpoint, request.headers));
    const rawBody = endpoint.body === null ? "" : await readBody(request);
    const body = endpoint.body === null ? undefined : parsePart(endpoint, "body", parseJson(rawBody));
    const parts = {
      params: parsedParams,
      query,
      headerFields,
      body,
      caller: identity?.caller ?? null,
      requestId: routed.record.id,
      get headers() {
        return publicHeaders(request.headers);
      },
      rawBody,
      ifNoneMatch: request.headers.get("if-none-match"),
      get signal() {
        return request.signal;
      },
      remoteAddress: routed.remoteAddress,
    };
    // The schemas of this very endpoint made the parts, which the types cannot follow through the generic.
    const reply = await serve(context, parts as unknown as ServiceRequest<E>);
    return {
      ...render(context, endpoint, reply, routed, checkAnswers),
      cacheable: cacheableOf(reply, identity),
    };
  };
}

function secretOf(endpoint: Endpoint, request: RequestLike, search: URLSearchParams): string | null {
  return readSecret({
    authorization: request.headers.get("authorization"),
    apiKeys: endpoint.queryKey ? search.getAll("api_key") : [],
  });
}

async function identify(
  context: Context,
  endpoint: Endpoint,
  request: RequestLike,
  secret: string | null,
): Promise<Identity> {
  return await context.authenticator.authenticate({
    secret,
    userHeader: request.headers.get("x-auth-key"),
    endpoint,
  });
}

function searchOf(url: string): URLSearchParams {
  const cut = url.indexOf("?");
  return new URLSearchParams(cut === -1 ? "" : url.slice(cut + 1));
}

function render<E extends Endpoint>(
  context: Context,
  endpoint: E,
  reply: Reply<E>,
  routed: RoutedRequest,
  checkAnswers: boolean,
): Answer {
  switch (reply.type) {
    case "none":
      return emptyAnswer(endpoint.status);
    case "not-modified":
      return unchangedAnswer(quoted(reply.etag));
    case "stream":
      return {
        ...emptyAnswer(endpoint.status, {
          "content-type": reply.mediaType,
          "content-disposition": contentDisposition("attachment", reply.filename),
        }),
        body: streamBody(reply.stream, (error) =>
          routed.record.log.error({ err: error }, "an answer broke off"),
        ),
      };
    case "json":
    case "body": {
      const json = reply.type === "json" ? reply.json : JSON.stringify(reply.body);
      if (checkAnswers) checkAnswer(endpoint, json);
      const etag = reply.etag ?? (endpoint.conditional ? tagOf(json) : undefined);
      if (etag !== undefined && isFresh(routed.request.headers.get("if-none-match"), etag)) {
        return unchangedAnswer(quoted(etag));
      }
      return jsonAnswer(endpoint.status, json, {
        ...(etag !== undefined && { etag: quoted(etag) }),
        ...(reply.type === "body" && reply.cookie && { "set-cookie": cookieText(reply.cookie, context) }),
      });
    }
  }
}

/** A cookie as `Set-Cookie` has it; sent back over TLS alone where people reach the service that way. */
function cookieText({ name, value, path, maxAgeSeconds }: Cookie, { publicUrl }: Context): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Only where the handler can say whether it still holds. */
function cacheableOf(reply: Reply<Endpoint>, identity: Identity | null): Cacheable | undefined {
  if (reply.type !== "json" && reply.type !== "not-modified") return undefined;
  const { holds, unchanged, etag } = reply;
  if (identity === null || etag === undefined) return undefined;
  if (holds !== undefined) return { identity, etag, holds };
  return unchanged && { identity, etag, unchanged };
}

/**
 * The tag of an answer whose handler knows none, as of lists: it is another one with each change that the client could see,
 * whatever brought it, and costs those who change something nothing.
 */
function tagOf(json: string): string {
  return createHash("sha256").update(json).digest("base64url").slice(0, 22);
}

/** Weak: the same content goes out in several encodings. */
function quoted(etag: string): string {
  return /^(W\/)?"/.test(etag) ? etag : `W/"${etag}"`;
}

/** What really goes over the wire against the contract, so that a wrong answer is an error here and not at a client. */
function checkAnswer(endpoint: Endpoint, json: string): void {
  if (typeof endpoint.response === "string") throw new Error(`${endpoint.name} must not answer JSON`);
  const result = endpoint.response.safeParse(JSON.parse(json));
  if (result.success) return;
  const [issue] = result.error.issues;
  throw new ServiceError("internal", {
    cause: new Error(
      `${endpoint.name} answers against the contract at ${issue?.path.join(".")}: ${issue?.message}`,
    ),
  });
}
