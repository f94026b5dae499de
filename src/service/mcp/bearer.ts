import type { Clock } from "../context.ts";
import type { Limiter } from "../limiter.ts";
import type { ConnectionKey } from "./connection-rows.ts";
import type { Connections } from "./connections.ts";
import { withTimeout } from "./fetches.ts";
import { McpError } from "./mcp-error.ts";
import { scopeKey } from "./owner.ts";
import { canRevokeAlone } from "./revoke.ts";
import { expiryOf, type SignedInSecrets } from "./secrets.ts";
import { signInAnswers } from "./sign-in-answers.ts";

/** The access token of one connection, renewed when it must be. Other processes renew the same one; only one does. */
export interface Bearer {
  /** @throws McpError `unauthenticated` without a sign-in that still counts, `unreachable` when it cannot be renewed now */
  current(): Promise<string>;
  /**
   * After the server refused `refused`: the token that somebody renewed meanwhile, or a newly renewed one.
   * Without one the sign-in is over, and its tokens are forgotten.
   * @throws McpError as `current`
   */
  another(refused: string): Promise<string>;
}

export interface BearerParts {
  readonly connections: Connections;
  readonly clock: Clock;
  readonly key: ConnectionKey;
  /** The server's name, for sentences. */
  readonly name: string;
  /** The guarded fetch of this server. */
  readonly fetch: typeof globalThis.fetch;
  /** For all connections to this server: each renewal holds one of the few connections to the database. */
  readonly limiter: Limiter;
  /** Gives tokens back to the sign-in that gave them, in the background. */
  readonly revoke: (secrets: SignedInSecrets) => void;
  /** Told of a client, by its id, that the sign-in says it does not know. */
  readonly unknownClient: (id: string) => Promise<void>;
  /** Milliseconds for a sign-in to answer. */
  readonly timeoutMs?: number;
}

/** Below the time after which the database gives up the transaction of a renewal that does nothing. */
const defaultTimeoutMs = 10_000;

/** A token that ends within this many milliseconds is renewed before it is used. */
const soon = 30_000;

/** The token of one connection; nothing is read or renewed before it is asked for. */
export function createBearer(parts: BearerParts): Bearer {
  const { connections, key, name } = parts;
  const over = () => new McpError("unauthenticated", `${name} no longer accepts the sign-in: sign in again.`);

  let renewing: Promise<string> | null = null;
  const renewed = (good: (secrets: SignedInSecrets) => boolean) => {
    renewing ??= renew(good).finally(() => {
      renewing = null;
    });
    return renewing;
  };

  /** One at a time in all processes: a refresh token often works only once. */
  async function renew(good: (secrets: SignedInSecrets) => boolean): Promise<string> {
    let unknown: string | null = null;
    const next = await parts.limiter.run({ share: [scopeKey(key.scope)] }, () =>
      connections.renew(
        key,
        async (secrets) => {
          if (good(secrets)) return secrets;
          const { renewed, isUnknown } = await refresh(parts, secrets);
          if (isUnknown) unknown = secrets.client.client_id;
          return renewed;
        },
        (made, kept) => {
          if (kept === null || canRevokeAlone(made, kept)) parts.revoke(made);
        },
      ),
    );
    // Behind the renewal, which holds one of the few connections to the database.
    if (unknown !== null) await parts.unknownClient(unknown);
    if (next === null) throw over();
    return next.tokens.access_token;
  }

  return {
    async current() {
      const secrets = await connections.secrets(key);
      if (secrets === null) throw new McpError("unauthenticated", `Nobody is signed in to ${name}.`);
      const lasts = ({ expiresAt }: SignedInSecrets) =>
        expiresAt === null || expiresAt > parts.clock.now().getTime() + soon;
      if (lasts(secrets) || secrets.tokens.refresh_token === undefined) return secrets.tokens.access_token;
      return await renewed(lasts);
    },
    async another(refused) {
      const other = ({ tokens }: SignedInSecrets) => tokens.access_token !== refused;
      const token = await renewed(other);
      // A renewal that had begun before may have found it good.
      return token === refused ? await renewed(other) : token;
    },
  };
}

interface Refreshed {
  /** Null: the sign-in is over. */
  readonly renewed: SignedInSecrets | null;
  /** Whether the sign-in says that it does not know the client. */
  readonly isUnknown: boolean;
}

/** @throws McpError `unreachable` when nobody can tell now */
async function refresh(
  { name, clock, fetch, timeoutMs = defaultTimeoutMs }: BearerParts,
  { tokens, client, discovery }: SignedInSecrets,
): Promise<Refreshed> {
  if (tokens.refresh_token === undefined) return { renewed: null, isUnknown: false };
  const { OAuthError, OAuthErrorCode, refreshAuthorization } = await import("@modelcontextprotocol/client");
  const { authorizationServerMetadata: metadata, resourceMetadata } = discovery;
  try {
    const renewed = await refreshAuthorization(discovery.authorizationServerUrl, {
      ...(metadata ? { metadata } : {}),
      ...(resourceMetadata ? { resource: resourceMetadata.resource } : {}),
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      fetchFn: signInAnswers(withTimeout(fetch, timeoutMs)),
    });
    // What is not said is as it was (RFC 6749 §6).
    const given = { ...(tokens.scope !== undefined && { scope: tokens.scope }), ...renewed };
    const expiresAt = expiryOf(given, clock.now().getTime());
    return { renewed: { tokens: given, client, discovery, expiresAt }, isUnknown: false };
  } catch (error) {
    const { InvalidClient, ServerError, TemporarilyUnavailable, TooManyRequests } = OAuthErrorCode;
    const passing: readonly string[] = [ServerError, TemporarilyUnavailable, TooManyRequests];
    if (error instanceof OAuthError && !passing.includes(error.code))
      return { renewed: null, isUnknown: error.code === InvalidClient };
    throw new McpError("unreachable", `The sign-in of ${name} cannot be renewed right now.`, error);
  }
}
