import type * as OpenId from "openid-client";
import type { Clock } from "../context.ts";
import { type Claimed, lacks, readClaims } from "./claims.ts";
import { createConfigurations, isWeb } from "./configurations.ts";
import { ProviderError, toProviderError, untimelyClaims } from "./provider-error.ts";
import { cautious, hearing } from "./provider-fetches.ts";
import type { SignInSettings } from "./settings.ts";
import { type AskedFor, issuedInFuture, refusedForItsTime } from "./token-times.ts";

/** What a browser that was sent to the provider must come back with. */
export interface Expected {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What a sign-in or a renewal gave. */
export interface Given {
  readonly claimed: Claimed;
  /** Null: the provider gives none, so that groups cannot be asked for again. */
  readonly refreshToken: string | null;
  /** For signing out there; null where a renewal brought none. */
  readonly idToken: string | null;
}

/**
 * The organisation's identity provider. Its metadata are asked for again after ten minutes, for a browser that begins to sign in
 * after ten seconds, by whoever comes first for all; its keys each time.
 */
export interface Provider {
  /** Where to send the browser. @throws ProviderError */
  authorizationUrl(expected: Expected): Promise<string>;
  /**
   * @param address that the provider sent the browser to, as it came
   * @param begunAt when the browser was sent there, by the database's clock
   * @throws ProviderError
   */
  finish(address: URL, expected: Expected, begunAt: Date): Promise<Given>;
  /**
   * Asks who the person is now.
   * @param onToken called with the refresh token that came in place of this one, also where the rest cannot be had
   * @throws ProviderError; `refused` where the token is over
   */
  renew(refreshToken: string, subject: string, onToken?: (refreshToken: string) => void): Promise<Given>;
  /** Whether it did not answer within the last half minute, and has not since: whoever asks is likely to wait in vain. */
  isSilent(): boolean;
  /** Where a browser ends its session there; null where the provider has no such place. @throws ProviderError */
  endSessionUrl(idToken: string, backTo: string): Promise<string | null>;
}

export interface ProviderParts {
  readonly settings: SignInSettings;
  readonly secret: string | null;
  /** The guarded fetch, which may reach the issuer wherever it is. */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Where the provider sends browsers back to: the whole address. */
  readonly redirectUrl: string;
  /** Seconds for each request; for tests, which cannot wait so long. */
  readonly timeout?: number;
}

/** Seconds for each request, */
const usualTimeout = 8;
/** and milliseconds for all of a sign-in, up to five, and of a renewal, for which others may wait. */
const signInMs = 20_000;
const renewalMs = 10_000;
const metadataMs = 600_000;
/** For so long a browser is sent there without a look: a storm of sign-ins that begin asks it little. */
const reachedMs = 10_000;
const silentMs = 30_000;

/** What the provider says of itself is read with the first request to it, and remembered for ten minutes. */
export function createProvider(parts: ProviderParts): Provider {
  const { settings, secret, clock, redirectUrl, timeout = usualTimeout } = parts;
  const configurations = createConfigurations({ settings, secret, clock, timeout });
  let silentUntil = 0;

  /** Whatever goes wrong, as one of our own errors; then the metadata are asked for again. */
  const asking = async <T>(
    limitMs: number,
    work: (client: typeof OpenId, config: OpenId.Configuration) => Promise<T>,
    maxAge = metadataMs,
  ): Promise<T> => {
    const fetch = cautious(parts.fetch, AbortSignal.timeout(limitMs));
    try {
      const client = await import("openid-client");
      return await work(client, await configurations.make(client, fetch, maxAge));
    } catch (error) {
      const failure = toProviderError(error);
      if (failure.kind !== "refused") configurations.forgetMetadata();
      if (failure.kind === "unreachable") silentUntil = performance.now() + silentMs;
      throw failure;
    }
  };

  /**
   * Tokens, or why they are refused for their time.
   * @param nonce that they must have where they are of this sign-in; null where they are of a renewal
   */
  const inTime = async <T extends OpenId.TokenEndpointResponseHelpers>(
    tokens: Promise<T>,
    from: Date,
    nonce: string | null,
  ): Promise<T> => {
    const asked = (isOwn: boolean): AskedFor => ({ from, to: clock.now(), isOwn });
    const given = await tokens.catch((error: unknown) => {
      const claims = untimelyClaims(error);
      if (claims === null) throw error;
      throw refusedForItsTime(claims, asked(nonce !== null && claims.nonce === nonce), error);
    });
    // What is renewed was asked for over a connection of ours just now: nobody loses their groups for a clock.
    const future = nonce === null ? null : issuedInFuture({ ...given.claims() }, asked(true));
    if (future) throw future;
    return given;
  };

  /** The claims of the token; where they lack something, with those of userinfo below them. */
  const given = async (
    client: typeof OpenId,
    config: OpenId.Configuration,
    tokens: OpenId.TokenEndpointResponse & OpenId.TokenEndpointResponseHelpers,
    subject: string,
  ): Promise<Given> => {
    silentUntil = 0;
    const own: Record<string, unknown> = { ...tokens.claims() };
    const asks = lacks(own, settings) && config.serverMetadata().userinfo_endpoint !== undefined;
    const more = asks ? await client.fetchUserInfo(config, tokens.access_token, subject) : {};
    return {
      claimed: readClaims(subject, { ...more, ...own }, settings),
      refreshToken: tokens.refresh_token ?? null,
      idToken: tokens.id_token ?? null,
    };
  };

  return {
    authorizationUrl({ state, nonce, verifier }) {
      return asking(
        signInMs,
        async (client, config) => {
          const url = client.buildAuthorizationUrl(config, {
            redirect_uri: redirectUrl,
            scope: settings.scopes.join(" "),
            state,
            nonce,
            code_challenge: await client.calculatePKCECodeChallenge(verifier),
            code_challenge_method: "S256",
            ...(settings.prompt && { prompt: settings.prompt }),
          });
          return url.href;
          // Nobody is sent to a provider that is down, unless it went down just now.
        },
        reachedMs,
      );
    },
    finish: (address, { state, nonce, verifier }, begunAt) =>
      asking(signInMs, async (client, config) => {
        const back = new URL(redirectUrl);
        back.search = address.search;
        const exchanged = client.authorizationCodeGrant(config, back, {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
          idTokenExpected: true,
        });
        const tokens = await inTime(exchanged, begunAt, nonce);
        const subject = tokens.claims()?.sub;
        if (subject === undefined)
          throw new ProviderError("invalid", "It gave no token that names a person.");
        return await given(client, config, tokens, subject);
      }),
    renew: (refreshToken, subject, onToken = () => {}) =>
      asking(renewalMs, async (client, config) => {
        const { [client.customFetch]: fetch } = config;
        if (fetch !== undefined) config[client.customFetch] = hearing(fetch, onToken);
        const tokens = await inTime(client.refreshTokenGrant(config, refreshToken), clock.now(), null);
        const claims = tokens.claims();
        if (claims !== undefined && claims.sub !== subject)
          throw new ProviderError("invalid", "Its renewed token names another person.");
        // Without either it said nothing: not that they are in no group.
        if (claims === undefined && config.serverMetadata().userinfo_endpoint === undefined)
          throw new ProviderError("invalid", "It renewed the sign-in and said nothing of the person.");
        const renewed = await given(client, config, tokens, subject);
        return { ...renewed, refreshToken: renewed.refreshToken ?? refreshToken };
      }),
    isSilent: () => performance.now() < silentUntil,
    endSessionUrl: (idToken, backTo) =>
      asking(signInMs, async (client, config) => {
        if (config.serverMetadata().end_session_endpoint === undefined) return null;
        const url = client.buildEndSessionUrl(config, {
          ...{ id_token_hint: idToken, post_logout_redirect_uri: backTo },
        });
        return isWeb(url) ? url.href : null;
      }),
  };
}
