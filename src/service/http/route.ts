import type { Endpoint } from "../../contract/define.ts";
import { neededRight } from "../../contract/roles.ts";
import type { Handler, Reply, Request as ServiceRequest } from "../areas/handler.ts";
import { type ByteRoom, createByteRoom } from "../byte-room.ts";
import type { Context } from "../context.ts";
import type { Identity } from "../credentials/authenticate.ts";
import { readSecret } from "../credentials/read-credential.ts";
import { createLimiter } from "../limiter.ts";
import { principalOf, withRight } from "../permission/roles.ts";
import { requireScope } from "../permission/scopes.ts";
import type { Answer } from "./answer.ts";
import type { Cacheable } from "./answer-cache.ts";
import { bodyLimit, openBodyLimit, readBody } from "./body.ts";
import { parseBodyInSteps } from "./json.ts";
import { parsePart } from "./parse-request.ts";
import type { RequestLike } from "./plain-get.ts";
import { checkText, readQuery } from "./query.ts";
import { type RenderParts, renderReply } from "./render-reply.ts";
import { requestContext } from "./request-context.ts";
import { namedHeaders, placeOf, publicHeaders } from "./request-headers.ts";
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

/** What all routes of a process share. */
export interface RouteParts extends RenderParts {
  /** For the large bodies of requests. */
  readonly bodies: ByteRoom;
}

/**
 * So many bytes of bodies at a time beside the first, of which each is there several times while it is worked on, and so many
 * large answers.
 * @param checkAnswers parse what the functions answer by the contract, in tests and development
 */
export function createRouteParts(checkAnswers: boolean): RouteParts {
  return {
    checkAnswers,
    bodies: createByteRoom(12_000_000),
    large: createLimiter({ places: 40, eachTenant: 20 }),
  };
}

/**
 * An endpoint and its function as one call: authenticate, parse the path, the query and the body, call, render. That
 * order is decided: nothing of a body is read before the credential held.
 * @throws ServiceError, or whatever the function threw
 */
export function createRoute<E extends Endpoint>(endpoint: E, handler: Handler<E>, shared: RouteParts) {
  const needed = neededRight(endpoint);
  const most = endpoint.auth === "none" ? openBodyLimit : bodyLimit;
  return async (context: Context, routed: RoutedRequest): Promise<Answer> => {
    const { request, params } = routed;
    const search = searchOf(request.url);
    const secret = endpoint.auth === "none" ? null : secretOf(endpoint, request, search);
    const serve = secret !== null && handler.ahead ? handler.ahead(context, search) : handler;
    const identity = endpoint.auth === "none" ? null : await identify(context, endpoint, routed, secret);
    if (identity) routed.record.identify(identity.caller);
    const who = identity === null ? "" : principalOf(identity.caller);
    for (const [name, value] of Object.entries(params)) checkText(value, name);
    const parsedParams = parsePart(endpoint, "params", params);
    const query = parsePart(endpoint, "query", readQuery(search));
    const headerFields = parsePart(endpoint, "headers", namedHeaders(endpoint, request.headers));
    const answerTo = async (rawBody: string, body: unknown): Promise<Answer> => {
      const parts = {
        params: parsedParams,
        query,
        headerFields,
        body,
        caller: identity && withRight(identity.caller, needed),
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
      if (identity) requireScope(identity.caller, endpoint);
      const mine = requestContext(context, { ...routed, who });
      // The schemas of this very endpoint made the parts, which the types cannot follow through the generic.
      const reply = await serve(mine, parts as unknown as ServiceRequest<E>);
      return {
        ...renderReply(context, shared, { endpoint, reply, who, ...routed }),
        cacheable: cacheableOf(reply, identity),
      };
    };
    if (endpoint.body === null) return await answerTo("", undefined);
    const place = shared.bodies.enter(who);
    try {
      const rawBody = await readBody(request, { most, place });
      return await answerTo(rawBody, parsePart(endpoint, "body", await parseBodyInSteps(rawBody)));
    } finally {
      place.leave();
    }
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
  { request, remoteAddress, record }: RoutedRequest,
  secret: string | null,
): Promise<Identity> {
  return await context.authenticator.authenticate({
    secret,
    userHeader: request.headers.get("x-auth-key"),
    endpoint,
    from: () => placeOf(request.headers, remoteAddress),
    requestId: record.id,
  });
}

function searchOf(url: string): URLSearchParams {
  const cut = url.indexOf("?");
  return new URLSearchParams(cut === -1 ? "" : url.slice(cut + 1));
}

/** Only where the handler can say whether it still holds. */
function cacheableOf(reply: Reply<Endpoint>, identity: Identity | null): Cacheable | undefined {
  if (reply.type !== "json" && reply.type !== "pieces" && reply.type !== "not-modified") return undefined;
  const { holds, unchanged, etag } = reply;
  if (identity === null || etag === undefined) return undefined;
  if (holds !== undefined) return { identity, etag, holds };
  return unchanged && { identity, etag, unchanged };
}
