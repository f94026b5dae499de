import { createHash, randomBytes } from "node:crypto";
import { oauthPaths } from "../contract/scopes.ts";
import type { TestService } from "./service.ts";

/** Where the programs of tests are answered. */
export const redirectUri = "https://app.example.com/callback";

/** A program of tests, as an admin has registered it. */
export interface TestProgram {
  readonly id: string;
  readonly secret: string | null;
}

/** What a browser holds that a program sent to the service. */
export interface SentHere {
  /** Where it was sent on to; null: a page was shown. */
  readonly location: URL | null;
  readonly status: number;
  readonly text: string;
  /** Of the request that waits for an answer; "" without one. */
  readonly requestId: string;
  /** The `Cookie` header that the browser sends from now on. */
  readonly cookie: string;
}

/** Tokens as a program gets them. */
export interface TestTokens {
  readonly access: string;
  readonly refresh: string;
}

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Programs and browsers as tests about OAuth need them.
 * @param like whose verifier is sent: of the same programs at another process
 */
export function oauthTests(
  service: () => Pick<TestService, "url" | "call"> & { readonly keys: { readonly ada: string } },
  like?: { readonly verifier: string },
) {
  /** What each request says unless a test says otherwise, with a verifier of this file. */
  const verifier = like?.verifier ?? randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");

  async function register(more: Readonly<Record<string, unknown>> = {}): Promise<TestProgram> {
    const { call, keys } = service();
    const body = { name: "Test program", redirect_uris: [redirectUri], ...more };
    const made = await (await call(keys.ada, "POST", "/admin/programs", body)).json();
    return { id: made.program.id, secret: made.secret };
  }

  /** A browser comes to the service; undefined takes a parameter away. */
  async function open(program: TestProgram, more: Query = {}): Promise<SentHere> {
    const all: Query = {
      ...{ response_type: "code", client_id: program.id, redirect_uri: redirectUri, state: "of the program" },
      ...{ code_challenge: challenge, code_challenge_method: "S256", ...more },
    };
    const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return await openAt(`${oauthPaths.authorize}?${new URLSearchParams(given)}`);
  }

  async function openAt(address: string): Promise<SentHere> {
    const response = await fetch(new URL(address, service().url), { redirect: "manual" });
    const location = response.headers.get("location");
    const url = location === null ? null : new URL(location);
    return {
      ...{ location: url, status: response.status, text: await response.text() },
      requestId: url?.searchParams.get("request") ?? "",
      cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "",
    };
  }

  const look = (key: string, { requestId, cookie }: SentHere) =>
    service().call(key, "GET", `/programs/requests/${requestId}`, undefined, { cookie });

  const answer = (key: string, { requestId, cookie }: SentHere, allow = true) =>
    service().call(key, "POST", `/programs/requests/${requestId}`, { allow }, { cookie });

  /** From the program to the person and back. @returns where the browser goes with the answer */
  async function letIn(program: TestProgram, key: string, more: Query = {}): Promise<URL> {
    const said = await (await answer(key, await open(program, more))).json();
    return new URL(said.redirect_url);
  }

  async function code(program: TestProgram, key: string, more: Query = {}): Promise<string> {
    return (await letIn(program, key, more)).searchParams.get("code") ?? "";
  }

  /** A form as programs send it. */
  const post = (path: string, form: Query, headers: Readonly<Record<string, string>> = {}) =>
    fetch(service().url + path, {
      method: "POST",
      headers,
      body: new URLSearchParams(
        Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined),
      ),
    });

  const exchange = (program: TestProgram, given: string, more: Query = {}) =>
    post(oauthPaths.token, {
      ...{ grant_type: "authorization_code", code: given, redirect_uri: redirectUri },
      ...{ client_id: program.id, code_verifier: verifier, ...more },
    });

  const refresh = (program: TestProgram, token: string, more: Query = {}) =>
    post(oauthPaths.token, {
      ...{ grant_type: "refresh_token", refresh_token: token, client_id: program.id, ...more },
    });

  const revoke = (program: TestProgram, token: string) =>
    post(oauthPaths.revoke, { token, client_id: program.id });

  async function tokensOf(response: Response): Promise<TestTokens> {
    const { access_token: access, refresh_token: refreshed } = await response.json();
    return { access, refresh: refreshed };
  }

  /** A program that a person has let in, with its tokens. */
  async function connect(program: TestProgram, key: string, more: Query = {}): Promise<TestTokens> {
    return await tokensOf(await exchange(program, await code(program, key, more)));
  }

  /** What an access token hears. */
  const statusOf = async (token: string, method = "GET", path = "/me", body?: unknown) =>
    (await service().call(token, method, path, body)).status;

  const errorOf = async (response: Response): Promise<string> =>
    `${response.status} ${(await response.json()).error}`;

  return {
    ...{ verifier, challenge, register, open, openAt, look, answer, letIn, code, post, exchange, refresh },
    ...{ revoke, tokensOf, connect, statusOf, errorOf },
  };
}
