import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { makeTestMcp } from "./mcp-server.ts";
import { serveMcp } from "./serve-mcp.ts";

/** An MCP server that demands OAuth, with a sign-in that agrees to everything at once, so that a browser passes through. */
export interface OAuthMcpServer {
  /** `http://127.0.0.1:PORT/mcp`; the sign-in is on the same port. */
  readonly url: string;
  /** Every call of a tool, with the account whose token came with it. */
  readonly calls: readonly { readonly tool: string; readonly account: string | undefined }[];
  /** Every `Authorization` header that reached the MCP server. */
  readonly seen: ReadonlySet<string>;
  /** Clients that registered themselves. */
  readonly registered: readonly {
    readonly redirect_uris: readonly string[];
    readonly application_type?: string;
  }[];
  /** Requests to the token endpoint, as sent. */
  readonly tokenRequests: readonly URLSearchParams[];
  /** Tokens that were given back (RFC 7009), as sent. */
  readonly givenBack: readonly URLSearchParams[];
  /** Access and refresh tokens that are good now. */
  good(): readonly string[];
  /** Who is signed in at the sign-in from now on; null: they refuse. */
  signInAs(account: string | null): void;
  /** Ends every access token that was given out; refresh tokens stay, unless `all`. */
  expire(all?: "all"): void;
  /** What the metadata says from now on instead. */
  lie(misbehaviour: Misbehaviour): void;
  close(): Promise<void>;
}

/** Things that a server may get wrong, or do on purpose. */
export interface Misbehaviour {
  /** The resource for which the tokens shall be. */
  readonly resource?: string;
  readonly tokenEndpoint?: string;
  readonly authorizationEndpoint?: string;
  readonly registrationEndpoint?: string;
  /** Added to the way back. */
  readonly issuer?: string;
  /** It reads who a client is at the address that the client has for an id. */
  readonly readsDocuments?: boolean;
  /** No client registers itself. */
  readonly noRegistration?: boolean;
  /** A client that registers itself is kept, and only then told so. */
  readonly registration?: Promise<void>;
  /** What it answers to the clients that register themselves from now on, one after the other; beyond these it answers as usual. */
  readonly registrations?: { readonly status: number; readonly body: string }[];
  /** Token requests answer this status. */
  readonly tokenStatus?: number;
  /** Whose token requests are refused, as it does not know these clients. */
  readonly forgets?: (clientId: string | null) => boolean;
  /** Token requests are refused, with these words and all that came with the request. */
  readonly repeats?: string;
  /** Its answers to these questions have a field more, of so many characters. */
  readonly longAnswers?: { readonly to: "metadata" | "registration" | "tokens"; readonly length: number };
  /** Renewed tokens are given, but the answer only comes then. */
  readonly renewal?: Promise<void>;
  /** What kind of tokens it says to give. */
  readonly tokenType?: string;
  /** Whoever brings no token is served as well. */
  readonly isOpen?: boolean;
  /** It refuses every call for want of these scopes. */
  readonly lacks?: string;
  /** Anybody may open a session; what is asked in it wants this scope. */
  readonly scopeInSession?: string;
  /** What giving a token back answers; null: the metadata name no place for it; `never`: nothing, ever. */
  readonly revocation?: number | null | "never";
  /** Where a token is given back, as the metadata have it. */
  readonly revocationEndpoint?: string;
}

interface Grant {
  readonly account: string;
  readonly clientId: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly resource: string | null;
}

interface Said {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function json(status: number, body: unknown): Said {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** @param expiresIn seconds that an access token says it lasts */
export async function startOAuthMcpServer(expiresIn = 3600): Promise<OAuthMcpServer> {
  const calls: { tool: string; account: string | undefined }[] = [];
  const seen = new Set<string>();
  const registered: { client_id: string; redirect_uris: readonly string[] }[] = [];
  const tokenRequests: URLSearchParams[] = [];
  const givenBack: URLSearchParams[] = [];
  const codes = new Map<string, Grant>();
  const accessTokens = new Map<string, string>();
  const refreshTokens = new Map<string, string>();
  let account: string | null = "ada@example.com";
  let misbehaviour: Misbehaviour = {};
  let origin = "";

  const long = (to: NonNullable<Misbehaviour["longAnswers"]>["to"]) =>
    misbehaviour.longAnswers?.to === to ? { more: "x".repeat(misbehaviour.longAnswers.length) } : {};

  const give = (who: string): Said => {
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    accessTokens.set(access_token, who);
    refreshTokens.set(refresh_token, who);
    return json(200, {
      access_token,
      refresh_token,
      token_type: misbehaviour.tokenType ?? "Bearer",
      expires_in: expiresIn,
      ...long("tokens"),
    });
  };

  function authorize(query: URLSearchParams): Said {
    const client = registered.find(({ client_id }) => client_id === query.get("client_id"));
    const redirectUri = query.get("redirect_uri") ?? "";
    if (!client?.redirect_uris.includes(redirectUri) || query.get("code_challenge_method") !== "S256") {
      return json(400, { error: "invalid_request" });
    }
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    if (misbehaviour.issuer !== undefined) back.searchParams.set("iss", misbehaviour.issuer);
    if (account === null) back.searchParams.set("error", "access_denied");
    else {
      const code = randomUUID();
      const challenge = query.get("code_challenge") ?? "";
      codes.set(code, {
        account,
        clientId: client.client_id,
        challenge,
        redirectUri,
        resource: query.get("resource"),
      });
      back.searchParams.set("code", code);
    }
    return { status: 302, headers: { location: back.href }, body: "" };
  }

  async function token(form: URLSearchParams): Promise<Said> {
    tokenRequests.push(form);
    if (misbehaviour.tokenStatus !== undefined)
      return json(misbehaviour.tokenStatus, { error: "server_error" });
    if (misbehaviour.forgets?.(form.get("client_id"))) return json(401, { error: "invalid_client" });
    if (misbehaviour.repeats !== undefined)
      return json(400, { error: "invalid_grant", error_description: `${misbehaviour.repeats} ${form}` });
    if (form.get("grant_type") === "refresh_token") {
      const refresh = form.get("refresh_token") ?? "";
      const who = refreshTokens.get(refresh);
      // As strict servers do: a refresh token works once.
      refreshTokens.delete(refresh);
      const said = who === undefined ? json(400, { error: "invalid_grant" }) : give(who);
      await misbehaviour.renewal;
      return said;
    }
    const grant = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const fits =
      grant?.clientId === form.get("client_id") &&
      grant.redirectUri === form.get("redirect_uri") &&
      grant.challenge === verifier &&
      grant.resource === `${origin}/mcp` &&
      form.get("resource") === `${origin}/mcp`;
    return grant && fits ? give(grant.account) : json(400, { error: "invalid_grant" });
  }

  async function revoke(form: URLSearchParams): Promise<Said> {
    givenBack.push(form);
    if (misbehaviour.revocation === "never") await new Promise(() => {});
    if (typeof misbehaviour.revocation === "number") {
      return { ...json(misbehaviour.revocation, {}), headers: { location: `${origin}/elsewhere` } };
    }
    const token = form.get("token") ?? "";
    accessTokens.delete(token);
    refreshTokens.delete(token);
    return json(200, {});
  }

  async function answer(request: IncomingMessage): Promise<Said> {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    switch (pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return json(200, {
          resource: misbehaviour.resource ?? `${origin}/mcp`,
          authorization_servers: [origin],
        });
      case "/.well-known/oauth-authorization-server":
        return json(200, {
          ...long("metadata"),
          issuer: origin,
          authorization_endpoint: misbehaviour.authorizationEndpoint ?? `${origin}/authorize`,
          token_endpoint: misbehaviour.tokenEndpoint ?? `${origin}/token`,
          ...(misbehaviour.revocation === null
            ? {}
            : { revocation_endpoint: misbehaviour.revocationEndpoint ?? `${origin}/revoke` }),
          ...(misbehaviour.noRegistration
            ? {}
            : { registration_endpoint: misbehaviour.registrationEndpoint ?? `${origin}/register` }),
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          ...(misbehaviour.readsDocuments ? { client_id_metadata_document_supported: true } : {}),
          token_endpoint_auth_methods_supported: ["none"],
        });
      case "/register": {
        const client = { ...JSON.parse(await bodyOf(request)), client_id: `client-${randomUUID()}` };
        registered.push(client);
        await misbehaviour.registration;
        const odd = misbehaviour.registrations?.shift();
        if (odd) return { ...odd, headers: { "content-type": "application/json" } };
        return json(201, { ...client, ...long("registration") });
      }
      case "/authorize":
        return authorize(searchParams);
      case "/token":
        return await token(new URLSearchParams(await bodyOf(request)));
      case "/revoke":
      case "/elsewhere":
        return await revoke(new URLSearchParams(await bodyOf(request)));
      default:
        return json(404, { error: "not_found" });
    }
  }

  function mcp(request: IncomingMessage, response: ServerResponse): void {
    const { authorization } = request.headers;
    if (authorization !== undefined) seen.add(authorization);
    const who = accessTokens.get(authorization?.replace(/^Bearer /, "") ?? "");
    if (who === undefined && !(misbehaviour.isOpen && authorization === undefined)) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      const challenge = `Bearer resource_metadata="${metadata}"`;
      if (misbehaviour.scopeInSession === undefined)
        response.writeHead(401, { "www-authenticate": challenge }).end();
      else openTo(request, response, `${challenge}, scope="${misbehaviour.scopeInSession}"`);
      return;
    }
    if (misbehaviour.lacks !== undefined) {
      const challenge = `Bearer error="insufficient_scope", scope="${misbehaviour.lacks}"`;
      response.writeHead(403, { "www-authenticate": challenge }).end();
      return;
    }
    serveMcp(
      makeTestMcp((tool) => calls.push({ tool, account: who })),
      request,
      response,
    );
  }

  /** Gives a session to anybody, and in it nothing without a sign-in. */
  function openTo(request: IncomingMessage, response: ServerResponse, challenge: string): void {
    const session = "open-to-all";
    if (request.headers["mcp-session-id"] === session) {
      response.writeHead(401, { "www-authenticate": challenge }).end();
      return;
    }
    const result = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      serverInfo: { name: "Open", version: "1" },
    };
    bodyOf(request).then(
      (body) => {
        const { id, method } = JSON.parse(body);
        if (method !== "initialize") response.writeHead(400).end();
        else
          response
            .writeHead(200, { "content-type": "application/json", "mcp-session-id": session })
            .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      },
      () => response.destroy(),
    );
  }

  const server = createServer((request, response) => {
    if (request.url === "/mcp") {
      mcp(request, response);
      return;
    }
    const say = ({ status, headers, body }: Said) => response.writeHead(status, headers).end(body);
    answer(request).then(say, () => response.destroy());
  });
  // Callers let go of idle connections: were it also this side, one could be cut just when it is used again.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}/mcp`,
    calls,
    seen,
    registered,
    tokenRequests,
    givenBack,
    good: () => [...accessTokens.keys(), ...refreshTokens.keys()],
    signInAs: (next) => {
      account = next;
    },
    expire: (all) => {
      accessTokens.clear();
      if (all) refreshTokens.clear();
    },
    lie: (next) => {
      misbehaviour = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
