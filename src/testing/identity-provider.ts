import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Claims = Record<string, unknown>;

/** Things that a provider may get wrong, or do on purpose. */
export interface ProviderLie {
  /** What is answered with a page instead. */
  readonly html?: "metadata" | "token" | "keys" | "userinfo";
  /** What is answered with this status and nothing that can be read. */
  readonly status?: { readonly of: "metadata" | "token"; readonly is: number };
  /** RFC 6749's error of the token endpoint. */
  readonly tokenError?: string;
  /** What never answers. */
  readonly silent?: "metadata" | "token";
  /** What leads elsewhere. */
  readonly redirect?: { readonly of: "metadata" | "token"; readonly to: string };
  /** Answers with so many bytes of metadata. */
  readonly bytes?: number;
  readonly metadata?: Claims;
  /** Changes the claims of ID tokens. */
  readonly claims?: (claims: Claims) => Claims;
  readonly userinfo?: (claims: Claims) => Claims;
  /** A renewal brings no ID token, which OpenID Connect leaves to the provider. */
  readonly renewsWithoutIdToken?: boolean;
  /** How ID tokens are signed: not at all, with the client's secret, or with a key that is published nowhere. */
  readonly signing?: "none" | "secret" | "foreign" | "broken";
  /** The person does not agree, or something else is wrong there. */
  readonly answer?: { readonly error: string };
  /** Added to the way back. */
  readonly back?: Record<string, string>;
}

/** A provider of OpenID Connect for tests that agrees to everything at once, so that a browser passes through. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
  /** Requests to the token endpoint, as sent. */
  readonly tokenRequests: readonly URLSearchParams[];
  /** All that it gave away and nobody else may have: codes, access, refresh and ID tokens. */
  readonly given: readonly string[];
  /** Paths of all requests. */
  readonly asked: readonly string[];
  /** Who is signed in there from now on: claims, of which `sub` is one. */
  person(claims: Claims): void;
  lie(misbehaviour: ProviderLie): void;
  /** Signs with another key from now on, and publishes that one alone. */
  rotate(): void;
  /** Ends all refresh tokens, or the last one that it gave. */
  forget(which?: "last"): void;
  /** Whether it gives refresh tokens. */
  refreshes(does: boolean): void;
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly nonce: string | null;
  readonly redirectUri: string;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const clientId = "wheelhouse";
  const secret = "a secret-of.the_client & of nobody else";
  const tokenRequests: URLSearchParams[] = [];
  const asked: string[] = [];
  const handedOut: string[] = [];
  const codes = new Map<string, Grant>();
  const refreshTokens = new Set<string>();
  let key = makeKey();
  const foreign = makeKey();
  let person: Claims = {};
  let lie: ProviderLie = {};
  let gives = true;

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  function idToken(nonce: string | null): string {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: issuer, aud: clientId, iat: now, exp: now + 300, ...person };
    const claims = { ...usual, ...(nonce !== null && { nonce }) };
    const payload = encode(lie.claims?.(claims) ?? claims);
    if (lie.signing === "none") return `${encode({ alg: "none" })}.${payload}.`;
    if (lie.signing === "secret") {
      const text = `${encode({ alg: "HS256" })}.${payload}`;
      return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
    }
    const { kid } = key;
    const by = lie.signing === "foreign" ? foreign : key;
    const text = `${encode({ alg: "RS256", kid: lie.signing === "foreign" ? by.kid : kid })}.${payload}`;
    const signature = sign("sha256", Buffer.from(text), by.privateKey).toString("base64url");
    return `${text}.${lie.signing === "broken" ? signature.split("").reverse().join("") : signature}`;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "/", issuer);
    asked.push(url.pathname);
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const of = places[url.pathname];
    if (of !== undefined && lie.html === of)
      return response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign <b>in</b></h1>");
    if (of !== undefined && lie.silent === of) return;
    if (of !== undefined && lie.status?.of === of) return response.writeHead(lie.status.is).end("broken");
    if (of !== undefined && lie.redirect?.of === of)
      return response.writeHead(307, { location: lie.redirect.to }).end();
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        return json(200, {
          ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
          ...{ jwks_uri: `${issuer}/keys`, userinfo_endpoint: `${issuer}/userinfo` },
          ...{ end_session_endpoint: `${issuer}/end`, response_types_supported: ["code"] },
          ...{ subject_types_supported: ["public"], id_token_signing_alg_values_supported: ["RS256"] },
          ...lie.metadata,
          ...(lie.bytes && { padding: "x".repeat(lie.bytes) }),
        });
      case "/authorize":
        return authorize(url, response);
      case "/token":
        return token(new URLSearchParams(await bodyOf(request)), request, json);
      case "/userinfo":
        return json(200, lie.userinfo?.(person) ?? person);
      case "/keys":
        return json(200, {
          keys: [{ ...key.publicKey.export({ format: "jwk" }), kid: key.kid, use: "sig" }],
        });
      default:
        return response.writeHead(404).end();
    }
  }

  function authorize({ searchParams: query }: URL, response: ServerResponse): unknown {
    const redirectUri = query.get("redirect_uri") ?? "";
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    if (lie.answer) back.searchParams.set("error", lie.answer.error);
    else {
      const code = randomUUID();
      handedOut.push(code);
      codes.set(code, {
        challenge: query.get("code_challenge") ?? "",
        nonce: query.get("nonce"),
        redirectUri,
      });
      back.searchParams.set("code", code);
    }
    for (const [name, value] of Object.entries(lie.back ?? {})) back.searchParams.set(name, value);
    return response.writeHead(302, { location: back.href }).end();
  }

  function token(
    sent: URLSearchParams,
    request: IncomingMessage,
    answer: (status: number, body: unknown) => unknown,
  ): unknown {
    const json = (status: number, body: Readonly<Record<string, string>>) => {
      for (const name of ["access_token", "refresh_token", "id_token"])
        if (body[name] !== undefined) handedOut.push(body[name]);
      return answer(status, body);
    };
    tokenRequests.push(sent);
    const basic = `Basic ${Buffer.from(`${clientId}:${encodeURIComponent(secret).replaceAll("%20", "+")}`).toString("base64")}`;
    if (request.headers.authorization !== basic) return json(401, { error: "invalid_client" });
    if (lie.tokenError) return json(400, { error: lie.tokenError, error_description: "<b>no</b>" });
    const given = () => {
      const refresh = randomUUID();
      if (gives) refreshTokens.add(refresh);
      return { access_token: randomUUID(), token_type: "bearer", ...(gives && { refresh_token: refresh }) };
    };
    if (sent.get("grant_type") === "refresh_token") {
      // Each works once.
      if (!refreshTokens.delete(sent.get("refresh_token") ?? ""))
        return json(400, { error: "invalid_grant" });
      return json(200, { ...given(), ...(!lie.renewsWithoutIdToken && { id_token: idToken(null) }) });
    }
    const code = sent.get("code") ?? "";
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256")
      .update(sent.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight = grant?.challenge === challenge && grant.redirectUri === sent.get("redirect_uri");
    if (!grant || !isRight) return json(400, { error: "invalid_grant" });
    return json(200, { ...given(), id_token: idToken(grant.nonce) });
  }

  return {
    ...{ issuer, clientId, secret, tokenRequests, asked, given: handedOut },
    person: (claims) => {
      person = claims;
    },
    lie: (misbehaviour) => {
      lie = misbehaviour;
    },
    rotate: () => {
      key = makeKey();
    },
    forget: (which) => {
      const ended = which === "last" ? [...refreshTokens].slice(-1) : [...refreshTokens];
      for (const token of ended) refreshTokens.delete(token);
    },
    refreshes: (does) => {
      gives = does;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

const places: Readonly<Record<string, "metadata" | "token" | "keys" | "userinfo">> = {
  "/.well-known/openid-configuration": "metadata",
  "/token": "token",
  "/keys": "keys",
  "/userinfo": "userinfo",
};

function makeKey(): { readonly kid: string; readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return { kid: randomUUID(), ...generateKeyPairSync("rsa", { modulusLength: 2048 }) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += String(piece);
  return text;
}
