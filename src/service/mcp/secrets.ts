import type { OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Sealer } from "../credentials/sealer.ts";

/** What a sign-in left behind: the tokens, and all that is needed to renew them. Only ever kept sealed. */
export interface SignedInSecrets {
  readonly tokens: OAuthTokens;
  readonly client: OAuthClientInformationMixed;
  readonly discovery: OAuthDiscoveryState;
  /** Of the access token, in milliseconds since 1970; null: it did not say. */
  readonly expiresAt: number | null;
}

/** What a sign-in needs when the browser comes back. */
export interface SignInSecrets {
  readonly verifier: string;
  readonly client: OAuthClientInformationMixed;
  readonly discovery: OAuthDiscoveryState;
}

/** Seals and opens one kind of secret; what does not open counts as not there. */
export interface SecretBox<T> {
  seal(value: T, place: string): string;
  open(box: string | null, place: string): T | null;
}

export function createSecretBox<T>(sealer: Sealer, kind: string): SecretBox<T> {
  return {
    seal: (value, place) => sealer.seal(JSON.stringify(value), `${kind} ${place}`),
    open(box, place) {
      const text = box === null ? null : sealer.open(box, `${kind} ${place}`);
      // Sealed by the same function a while ago, and nothing else opens.
      return text === null ? null : (JSON.parse(text) as T);
    },
  };
}

/** @param now milliseconds since 1970 */
export function expiryOf(tokens: OAuthTokens, now: number): number | null {
  return tokens.expires_in === undefined ? null : now + tokens.expires_in * 1000;
}
