import type {
  OAuthClientInformationMixed,
  OAuthDiscoveryState,
  OAuthTokens,
} from "@modelcontextprotocol/client";

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
  /** What is asked for; null: nothing is named. Missing of those that an earlier release began. */
  readonly scope?: string | null;
  /** The id of the credential that it was begun with. Missing of those that an earlier release began. */
  readonly credential?: string | undefined;
  /** When its client registered, in milliseconds since 1970. Missing of those that an earlier release began. */
  readonly registeredAt?: number;
  /** Whether its server has said since that it does not know the client. */
  readonly isForgotten?: boolean;
  /** How many clients its server forgot, one after the other, before it was registered. */
  readonly replaced?: number;
}

/** @param now milliseconds since 1970 */
export function expiryOf(tokens: OAuthTokens, now: number): number | null {
  return tokens.expires_in === undefined ? null : now + tokens.expires_in * 1000;
}
