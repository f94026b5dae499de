import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import { clientMetadata, isOverheard } from "./client-metadata.ts";
import type { McpOAuthClient } from "./config.ts";
import type { SignInSecrets } from "./secrets.ts";

/**
 * One sign-in as the SDK sees it. It keeps what happens in memory: the caller stores it where the sign-in goes on, and
 * never asks it for tokens of an earlier one, so that signing in again always begins anew.
 */
export class SignInProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly #state: string;
  #client: OAuthClientInformationMixed | undefined;
  #verifier: string | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #tokens: OAuthTokens | undefined;
  #authorizationUrl: URL | undefined;
  readonly #scope: string | null;
  readonly #issuer: string | null;

  /** @param begun what the first half of the sign-in left, for its second half; or for the first, the client of another one */
  constructor(options: {
    readonly redirectUrl: string;
    /** By which sign-ins that read such documents know the service; null: it registers with each. */
    readonly metadataUrl: string | null;
    readonly registered: McpOAuthClient | null;
    readonly state: string;
    readonly begun?: Partial<SignInSecrets>;
  }) {
    const { redirectUrl, metadataUrl, registered, state, begun } = options;
    this.redirectUrl = redirectUrl;
    if (metadataUrl !== null) this.clientMetadataUrl = metadataUrl;
    this.clientMetadata = {
      ...clientMetadata(redirectUrl),
      ...(registered?.scope ? { scope: registered.scope } : {}),
    };
    this.#state = state;
    this.#client = begun?.client ?? (registered ? informationOf(registered) : undefined);
    this.#verifier = begun?.verifier;
    this.#discovery = begun?.discovery;
    this.#scope = begun?.scope ?? null;
    this.#issuer = registered?.issuer ?? null;
  }

  state(): string {
    return this.#state;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }

  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.#authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new Error("The sign-in has no verifier");
    return this.#verifier;
  }

  /**
   * Called before anything of the client is sent.
   * @throws OtherIssuerError where its operator registered it elsewhere
   * @throws UnprotectedSignInError where others could read on the way what it sends, or what a person types there
   */
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = state;
    const asked = metadata
      ? [metadata.authorization_endpoint, metadata.token_endpoint, metadata.registration_endpoint]
      : [authorizationServerUrl];
    if (asked.some((address) => address !== undefined && isOverheard(address)))
      throw new UnprotectedSignInError();
    if (this.#issuer !== null && !isSame(this.#issuer, metadata?.issuer ?? authorizationServerUrl))
      throw new OtherIssuerError();
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  /** After the first half: where to send the browser, and what the second half needs. */
  begun(): { readonly authorizationUrl: URL; readonly secrets: SignInSecrets } | null {
    const [url, client, verifier, discovery] = [
      this.#authorizationUrl,
      this.#client,
      this.#verifier,
      this.#discovery,
    ];
    if (!url || !client || verifier === undefined || !discovery) return null;
    return {
      authorizationUrl: url,
      secrets: { client, verifier, discovery, scope: url.searchParams.get("scope") },
    };
  }

  /** After the second half. A server need not say what it gives where that is what was asked for (RFC 6749 §5.1). */
  given(): {
    readonly tokens: OAuthTokens;
    readonly client: OAuthClientInformationMixed;
    readonly discovery: OAuthDiscoveryState;
  } | null {
    if (!this.#tokens || !this.#client || !this.#discovery) return null;
    const tokens = { ...(this.#scope !== null && { scope: this.#scope }), ...this.#tokens };
    return { tokens, client: this.#client, discovery: this.#discovery };
  }
}

/** A server names another authorization server than the one that its operator registered the client with. */
export class OtherIssuerError extends Error {
  override readonly name = "OtherIssuerError";
}

/** A server names a sign-in, or a part of one, that is reached by plain http. */
export class UnprotectedSignInError extends Error {
  override readonly name = "UnprotectedSignInError";
}

/** As addresses: with a slash at the end or without. */
const isSame = (one: string, other: string) =>
  URL.canParse(other) && new URL(one).href.replace(/\/$/, "") === new URL(other).href.replace(/\/$/, "");

function informationOf({ clientId, clientSecret }: McpOAuthClient): OAuthClientInformationMixed {
  return { client_id: clientId, ...(clientSecret === null ? {} : { client_secret: clientSecret }) };
}
