import { accessTokenSeconds, oauthPaths } from "../../contract/scopes.ts";
import { fromRequest } from "../audit/entry.ts";
import { createByteRoom } from "../byte-room.ts";
import type { Context } from "../context.ts";
import { networkOf } from "../guessing/network.ts";
import { authenticateProgram } from "../oauth/authenticate-program.ts";
import { authorize } from "../oauth/authorize.ts";
import { resourceMetadata, serverMetadata } from "../oauth/metadata.ts";
import { OauthError } from "../oauth/oauth-error.ts";
import { requestCookie, requestSeconds } from "../oauth/requests.ts";
import { exchangeCode, refreshTokens, revokeToken, type TokenRequest } from "../oauth/tokens.ts";
import { ServiceError } from "../service-error.ts";
import { type Answer, emptyAnswer, jsonAnswer } from "./answer.ts";
import { openBodyLimit, readBody } from "./body.ts";
import { cookieText } from "./cookies.ts";
import { messagePage } from "./message-page.ts";
import { requestContext } from "./request-context.ts";
import { placeOf, publicHeaders } from "./request-headers.ts";

/** A request of a program or a browser, with what the server knows of it. */
export interface OauthCall {
  readonly request: Request;
  /** Of the socket. */
  readonly address: string;
  readonly requestId: string;
}

/** OAuth 2.1 as programs speak it: what browsers open, and forms instead of JSON. */
export interface OauthRoutes {
  /** The two metadata documents, by path; null: there is none of that path. */
  metadata(path: string): Answer | null;
  /** What a browser is sent to. */
  authorize(call: OauthCall): Promise<Answer>;
  /** Codes and refresh tokens for tokens. */
  token(call: OauthCall): Promise<Answer>;
  revoke(call: OauthCall): Promise<Answer>;
}

/** What a stranger may have guessed: a program's secret, a code, a refresh token. */
const isWrongSecret = ({ code }: OauthError) => code === "invalid_client" || code === "invalid_grant";

/** @param getContext null: the service is starting, which is answered with `unavailable` */
export function createOauthRoutes(getContext: () => Context | null): OauthRoutes {
  const readForm = createFormReader();
  const context = () => {
    const there = getContext();
    if (there === null) throw new ServiceError("unavailable", { message: "The service is starting." });
    return there;
  };

  const contextOf = ({ request, address }: OauthCall) =>
    requestContext(context(), { request, who: "", remoteAddress: address });

  /** A form of a program that proved who it is. */
  const answerForm = async (
    call: OauthCall,
    work: (there: Context, read: TokenRequest) => Promise<Answer>,
  ): Promise<Answer> => {
    const { request, address, requestId } = call;
    if (request.method !== "POST") throw new ServiceError("method_not_allowed");
    const there = contextOf(call);
    const authorization = request.headers.get("authorization");
    try {
      const form = await readForm(request);
      const headers = publicHeaders(request.headers);
      const asker = { caller: null, requestId, headers, remoteAddress: address };
      let refusal: OauthError | null = null;
      const id = form.get("client_id") ?? "";
      const attempt = {
        from: fromRequest(asker),
        account: id !== "" && id.length <= 200 ? `client:${id}` : null,
        event: { action: "program.refuse", object: { kind: "program", id: null } },
      } as const;
      const answer = await there.guesses.compare(attempt, async () => {
        try {
          const program = await authenticateProgram(there.programs, form, authorization);
          return await work(there, { program, form, from: placeOf(request.headers, address), asker });
        } catch (error) {
          if (!(error instanceof OauthError) || !isWrongSecret(error)) throw error;
          refusal = error;
          return null;
        }
      });
      if (answer === null) throw refusal ?? new OauthError("invalid_grant", "It is not one of this service.");
      return answer;
    } catch (error) {
      if (!(error instanceof OauthError)) throw error;
      const isUnknown = error.code === "invalid_client";
      const headers: Record<string, string> = isUnknown ? { "www-authenticate": "Basic" } : {};
      const body = { error: error.code, error_description: error.message };
      return jsonAnswer(isUnknown ? 401 : 400, JSON.stringify(body), headers);
    }
  };

  return {
    metadata(path) {
      const { publicUrl, programs } = context();
      const documents: Readonly<Record<string, object>> = {
        [oauthPaths.server]: serverMetadata(publicUrl, programs.takesDocuments),
        [oauthPaths.resource]: resourceMetadata(publicUrl, ""),
        [`${oauthPaths.resource}/api/v1`]: resourceMetadata(publicUrl, "/api/v1"),
      };
      const found = Object.hasOwn(documents, path) ? documents[path] : undefined;
      return found === undefined ? null : jsonAnswer(200, JSON.stringify(found));
    },
    async authorize(call) {
      const { request, address } = call;
      if (request.method !== "GET") throw new ServiceError("method_not_allowed");
      const there = contextOf(call);
      const { publicUrl, store, programs } = there;
      const asked = await authorize(
        { store, programs, publicUrl },
        new URL(request.url).searchParams,
        networkOf(address),
      );
      if (asked.type === "redirect") return emptyAnswer(303, { location: asked.location });
      if (asked.type === "page")
        return messagePage(400, "This program cannot be let in", asked.text, {
          path: "/",
          label: "Open Wheelhouse",
        });
      const { id, browser } = asked.opened;
      const cookie = { name: requestCookie(id, publicUrl), value: browser };
      // The prefix __Host- wants the whole host.
      const text = cookieText({ ...cookie, path: "/", maxAgeSeconds: requestSeconds }, there);
      const location = `${publicUrl}${oauthPaths.consent}?${new URLSearchParams({ request: id })}`;
      return emptyAnswer(303, { location, "set-cookie": text });
    },
    token: (call) =>
      answerForm(call, async (there, read) => {
        const grant = read.form.get("grant_type");
        if (grant !== "authorization_code" && grant !== "refresh_token")
          throw new OauthError(
            grant === null ? "invalid_request" : "unsupported_grant_type",
            "grant_type must be authorization_code or refresh_token.",
          );
        const issued = await (grant === "refresh_token" ? refreshTokens : exchangeCode)(there, read);
        const body = {
          access_token: issued.accessToken,
          token_type: "Bearer",
          expires_in: accessTokenSeconds,
          refresh_token: issued.refreshToken,
          scope: issued.scopes.join(" "),
        };
        return jsonAnswer(200, JSON.stringify(body));
      }),
    revoke: (call) =>
      answerForm(call, async (there, read) => {
        await revokeToken(there, read);
        return emptyAnswer(200);
      }),
  };
}

/** Reads the forms of one process, in which nothing may be twice. They are small: what comes in chunks has little room. */
function createFormReader(): (request: Request) => Promise<URLSearchParams> {
  const bodies = createByteRoom(1_000_000);
  return async (request) => {
    const type = request.headers.get("content-type") ?? "";
    if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
      throw new OauthError("invalid_request", "The body must be application/x-www-form-urlencoded.");
    const place = bodies.enter("");
    try {
      const form = new URLSearchParams(await readBody(request, { most: openBodyLimit, place }));
      const names = [...form.keys()];
      if (new Set(names).size !== names.length)
        throw new OauthError("invalid_request", "A parameter is there twice.");
      return form;
    } finally {
      place.leave();
    }
  };
}
