import type { Kysely } from "kysely";
import { rightsOfRole } from "../../contract/roles.ts";
import { type Clock, newSecret } from "../context.ts";
import { createPlaces } from "../outgoing/places.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import { addressOf, type McpServerConfig, type McpServerEntry, maySignIn } from "./config.ts";
import { withTimeout } from "./fetches.ts";
import { McpError } from "./mcp-error.ts";
import { OtherIssuerError, SignInProvider, UnprotectedSignInError } from "./oauth-provider.ts";
import { type McpOwner, scopeKey } from "./owner.ts";
import { expiryOf, type SignedInSecrets, type SignInSecrets } from "./secrets.ts";
import { signInAnswers } from "./sign-in-answers.ts";
import type { Beginner, SignInFor, SignIns } from "./sign-ins.ts";

/** Why a browser that came back was turned away, and from which server where that is known. */
export interface SignInRefused {
  readonly type: "refused";
  readonly why: "unknown" | "other_browser" | "denied" | "failed";
  readonly server: { readonly id: string; readonly name: string } | null;
}

/** Where to send the browser, and the secret that it must bring back in a cookie, along with the state. */
export interface SignInStarted {
  readonly authorizationUrl: string;
  readonly state: string;
  readonly browser: string;
}

/** What the server's sign-in sent along with the browser. */
export interface OAuthCallback {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
  /** RFC 9207: who says that it answers. */
  readonly issuer: string | null;
  /** The cookie; null without one. */
  readonly browser: string | null;
}

export type OAuthCallbackResult =
  | SignInRefused
  | (SignInFor & { readonly type: "signed_in"; readonly secrets: SignedInSecrets });

type Found = SignInFor & { readonly secrets: SignInSecrets };
type HttpServer = Extract<McpServerConfig, { readonly via: "http" }>;

export interface SignInFlowParts {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly signIns: SignIns;
  readonly byId: ReadonlyMap<string, McpServerEntry>;
  /** The guarded fetch of a server, for its metadata, registration and tokens as well (S-40). */
  readonly fetchOf: (config: McpServerConfig) => typeof globalThis.fetch;
  /** Gives tokens that nobody keeps back to the server's sign-in, in the background. */
  readonly revoke: (config: McpServerConfig, secrets: SignedInSecrets) => void;
  /** The callback's whole address. */
  readonly redirectUrl: string;
  /** Where sign-ins may read who this service is; null: nowhere. */
  readonly metadataUrl: string | null;
  readonly version: string;
  /** Told whether a server wants somebody to sign in, or answers without as well. */
  readonly heard: (config: McpServerConfig, wants: boolean) => Promise<void>;
  /** Whether a credential holds still, by its id. */
  readonly holds: (credential: string) => Promise<boolean>;
}

/** Milliseconds for one request of a sign-in. */
const requestTimeoutMs = 15_000;

/**
 * Signing in to a server by OAuth 2.1 as the Model Context Protocol has it: discovery, registration, PKCE and the resource
 * are the SDK's; who may come back, once and from which browser, is decided here.
 */
export function createSignInFlow(parts: SignInFlowParts) {
  const { db, signIns, byId, redirectUrl, metadataUrl } = parts;
  const guarded = (config: McpServerConfig, signal: AbortSignal) => {
    return withTimeout(parts.fetchOf(config), requestTimeoutMs, signal);
  };

  /** Of one person and server one sign-in after the other: else all of one moment register a client each. */
  const beginning = createPlaces({ places: 1 });

  return {
    /**
     * @param scopes asked for beside those that the server names now
     * @throws McpError `no_sign_in` where the server has none, `unreachable` where it does not answer as it must
     */
    async start(
      config: McpServerConfig,
      owner: McpOwner,
      by: Beginner,
      scopes: readonly string[],
      signal: AbortSignal,
      within?: (tx: Tx) => Promise<void>,
    ): Promise<SignInStarted> {
      if (!maySignIn(config)) throw noSignIn(config);
      const fetch = guarded(config, signal);
      const { auth } = await import("@modelcontextprotocol/client");
      const what = { serverId: config.id, owner, address: addressOf(config), startedBy: by.person };
      const wanted = await whatItWants(config, fetch, parts.version).catch(async (error: unknown) => {
        signal.throwIfAborted();
        throw error instanceof McpError ? error : await explainStart(config, error);
      });
      if (wanted === null) throw noSignIn(config);
      const { isClosed, ...named } = wanted;
      await parts.heard(config, isClosed);
      const all = [...new Set([...(named.scope ?? config.oauth?.scope ?? "").split(" "), ...scopes])].filter(
        (scope) => scope !== "",
      );
      const more = scopes.length === 0 ? {} : { scope: all.join(" ") };
      // Whether it registers a client hangs on those that were begun before it.
      const line = JSON.stringify([config.id, scopeKey(owner), by.person]);
      return await beginning.run(line, { share: [], signal }, async () => {
        const state = newSecret();
        const now = parts.clock.now();
        const again = config.oauth === null ? await signIns.clientFor(what, now) : {};
        const provider = new SignInProvider({
          ...{ redirectUrl, metadataUrl, registered: config.oauth, state },
          ...(again.client && { begun: again }),
        });
        try {
          await auth(provider, {
            ...{ serverUrl: config.url, fetchFn: signInAnswers(fetch) },
            ...named,
            ...more,
          });
        } catch (error) {
          signal.throwIfAborted();
          throw error instanceof McpError ? error : await explainStart(config, error);
        }
        const begun = provider.begun();
        if (!begun || !/^https?:$/.test(begun.authorizationUrl.protocol)) throw noSignIn(config);
        const browser = newSecret();
        const registeredAt = now.getTime();
        const secrets = { ...{ registeredAt, ...again }, ...begun.secrets, credential: by.credential };
        await signIns.begin(state, browser, what, secrets, within);
        return { authorizationUrl: begun.authorizationUrl.href, state, browser };
      });
    },

    /** Takes the sign-in and, where everything fits, the tokens. Never throws for what a browser brought. */
    async finish(back: OAuthCallback, signal: AbortSignal): Promise<OAuthCallbackResult> {
      if (back.state === null) return { type: "refused", why: "unknown", server: null };
      const found = await signIns.take(back.state, back.browser);
      if (found.type !== "found") return { type: "refused", why: found.type, server: null };
      const { serverId, owner, address, startedBy, secrets } = found;
      const config = byId.get(serverId)?.config;
      if (config?.via !== "http" || addressOf(config) !== address || !(await mayStill(found))) {
        return { type: "refused", why: "unknown", server: null };
      }
      const refused = (why: SignInRefused["why"]) => {
        return { type: "refused", why, server: { id: config.id, name: config.name } } as const;
      };
      if (back.error === "access_denied") return refused("denied");
      if (back.code === null || !rightIssuer(back.issuer, secrets.discovery.authorizationServerMetadata)) {
        return refused("failed");
      }
      const provider = new SignInProvider({
        redirectUrl,
        metadataUrl,
        registered: config.oauth,
        state: back.state,
        begun: secrets,
      });
      const { auth } = await import("@modelcontextprotocol/client");
      try {
        const fetchFn = signInAnswers(guarded(config, signal));
        const iss = back.issuer === null ? {} : { iss: back.issuer };
        await auth(provider, { serverUrl: config.url, authorizationCode: back.code, ...iss, fetchFn });
      } catch (error) {
        const of = { serverId, scope: owner, address };
        if (await isUnknownClient(error)) await signIns.forgetClient(of, secrets.client.client_id);
        return refused("failed");
      }
      const given = provider.given();
      if (given === null) return refused("failed");
      const signedIn = { ...given, expiresAt: expiryOf(given.tokens, parts.clock.now().getTime()) };
      if (given.tokens.token_type.toLowerCase() !== "bearer") {
        parts.revoke(config, signedIn);
        return refused("failed");
      }
      return { type: "signed_in", serverId, owner, address, startedBy, secrets: signedIn };
    },
  };

  /** Whoever could not begin it any more, by their role in the team or as they or their credential have ended, signs nobody in. */
  async function mayStill({ owner, startedBy, secrets: { credential } }: Found): Promise<boolean> {
    if (credential !== undefined && !(await parts.holds(credential))) return false;
    if (startedBy === null) return true;
    if (owner.type === "user") {
      const person = await db
        .selectFrom("users")
        .select("id")
        .where("id", "=", startedBy)
        .where("deactivated_at", "is", null)
        .executeTakeFirst();
      return person !== undefined;
    }
    const member = await db
      .selectFrom("active_members")
      .select("role")
      .where("team_id", "=", owner.id)
      .where("user_id", "=", startedBy)
      .executeTakeFirst();
    return member !== undefined && rightsOfRole[member.role].includes("edit");
  }
}

/** What a server says to somebody without credentials. */
interface Wanted {
  /** Whether it refuses them. */
  readonly isClosed: boolean;
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

/** The revision without sessions. */
const modern = "2026-07-28";

/**
 * Asks the server without credentials, to hear which it wants (RFC 9728).
 * @returns null where it wants none and names no sign-in
 */
async function whatItWants(
  config: HttpServer,
  fetch: typeof globalThis.fetch,
  version: string,
): Promise<Wanted | null> {
  const sdk = await import("@modelcontextprotocol/client");
  const ask = async (method: string, params: object, headers: Readonly<Record<string, string>>) => {
    const response = await fetch(config.url, {
      method: "POST",
      headers: {
        ...config.headers,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    await response.body?.cancel();
    return response;
  };
  const { LATEST_PROTOCOL_VERSION: protocolVersion } = sdk;
  const clientInfo = { name: "wheelhouse", version };
  const first = await ask("initialize", { protocolVersion, capabilities: {}, clientInfo }, {});
  // One that lets anybody in that far is asked for what it is there for: it may want a sign-in for that alone.
  const inSession = async () => {
    const session = first.headers.get("mcp-session-id");
    const asked = await ask("tools/list", {}, session === null ? {} : { "mcp-session-id": session });
    return asked.status === 401 ? asked : first;
  };
  // One that knows no beginning any more is asked as it knows it.
  const withoutSession = async () => {
    const of = "io.modelcontextprotocol";
    const meta = {
      [`${of}/protocolVersion`]: modern,
      [`${of}/clientInfo`]: clientInfo,
      [`${of}/clientCapabilities`]: {},
    };
    const headers = { "mcp-protocol-version": modern, "mcp-method": "tools/list" };
    return await ask("tools/list", { _meta: meta }, headers);
  };
  const isSaid = first.status >= 500 || first.status === 401;
  const response = first.ok ? await inSession() : isSaid ? first : await withoutSession();
  if (response.status === 401) {
    const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response);
    const named = { ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}), ...(scope ? { scope } : {}) };
    return { isClosed: true, ...named };
  }
  if (!response.ok) throw new Error(`the server answered with ${response.status}`);
  if (config.oauth !== null) return { isClosed: false };
  // It answers without; a sign-in that it names all the same opens more of it.
  return await sdk.discoverOAuthProtectedResourceMetadata(config.url, {}, signInAnswers(fetch)).then(
    () => ({ isClosed: false }),
    () => null,
  );
}

async function isUnknownClient(error: unknown): Promise<boolean> {
  const { OAuthError, OAuthErrorCode } = await import("@modelcontextprotocol/client");
  return error instanceof OAuthError && error.code === OAuthErrorCode.InvalidClient;
}

function noSignIn({ name }: McpServerConfig): McpError {
  return new McpError("no_sign_in", `The MCP server ${name} has no sign-in that Wheelhouse can use.`);
}

/** Why a sign-in could not begin. The SDK's words stay in the cause. */
async function explainStart(config: HttpServer, error: unknown): Promise<McpError> {
  const { OAuthError, RegistrationRejectedError } = await import("@modelcontextprotocol/client");
  const { name } = config;
  const message = error instanceof Error ? error.message : "";
  if (error instanceof OtherIssuerError) {
    return new McpError(
      "unreachable",
      `The MCP server ${name} names another sign-in than the issuer in mcp.json, so nothing was started.`,
      error,
    );
  }
  if (error instanceof UnprotectedSignInError) {
    return new McpError(
      "unreachable",
      `The sign-in of ${name} is not reached by https alone, so nothing was started.`,
      error,
    );
  }
  if (message.startsWith("Protected resource ")) {
    return new McpError(
      "unreachable",
      `The MCP server ${name} names a sign-in for another address, so nothing was started.`,
      error,
    );
  }
  // A moment later it may let itself be registered with.
  if (error instanceof RegistrationRejectedError && (error.status === 429 || error.status >= 500)) {
    return new McpError(
      "unreachable",
      `The sign-in of ${name} answered with the status ${error.status} when Wheelhouse registered itself.`,
      error,
    );
  }
  if (
    error instanceof OAuthError ||
    error instanceof RegistrationRejectedError ||
    message.startsWith("Incompatible auth server")
  ) {
    return new McpError(
      "no_sign_in",
      `The sign-in of ${name} does not let Wheelhouse register itself: the operator can name a registered client in mcp.json.`,
      error,
    );
  }
  return new McpError(
    "unreachable",
    `The sign-in of ${name} cannot be reached, or does not answer as one.`,
    error,
  );
}

/** RFC 9207: an answer that names another issuer than the one that was asked belongs to somebody else's sign-in. */
function rightIssuer(
  issuer: string | null,
  metadata: { readonly issuer: string; readonly [key: string]: unknown } | undefined,
): boolean {
  if (issuer === null) return metadata?.authorization_response_iss_parameter_supported !== true;
  return metadata === undefined || issuer === metadata.issuer;
}
