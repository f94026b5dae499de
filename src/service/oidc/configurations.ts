import type * as OpenId from "openid-client";
import type { Clock } from "../context.ts";
import { ProviderError } from "./provider-error.ts";
import type { SignInSettings } from "./settings.ts";
import { toleranceMs } from "./token-times.ts";

/** What the OpenID client is told for one request to the provider; the provider's metadata are remembered in between. */
export interface Configurations {
  /**
   * Anew each time: so keys that have changed are seen, and time is the database's.
   * @param maxAge of the metadata, in ms
   */
  make(client: typeof OpenId, fetch: OpenId.CustomFetch, maxAge: number): Promise<OpenId.Configuration>;
  /** The next configuration asks the provider for its metadata anew. */
  forgetMetadata(): void;
}

interface ConfigurationParts {
  readonly settings: SignInSettings;
  readonly secret: string | null;
  readonly clock: Clock;
  /** Seconds for each request. */
  readonly timeout: number;
}

/** Asks for nothing before the first is made. */
export function createConfigurations({
  settings,
  secret,
  clock,
  timeout,
}: ConfigurationParts): Configurations {
  const isPlain = settings.issuer.startsWith("http:");
  let known: { readonly metadata: OpenId.ServerMetadata; readonly at: number } | null = null;
  let asked: Promise<OpenId.ServerMetadata> | null = null;

  /** Not older than `maxAge`, in ms. */
  const metadataOf = async (client: typeof OpenId, fetch: OpenId.CustomFetch, maxAge: number) => {
    if (known !== null && performance.now() - known.at <= maxAge) return known.metadata;
    asked ??= discovered(client, fetch).finally(() => {
      asked = null;
    });
    return await asked;
  };
  const discovered = async (client: typeof OpenId, fetch: OpenId.CustomFetch) => {
    const at = performance.now();
    const found = await client.discovery(new URL(settings.issuer), settings.client_id, {}, client.None(), {
      ...{ [client.customFetch]: fetch, timeout },
      execute: isPlain ? [client.allowInsecureRequests] : [],
    });
    const { supportsPKCE: _, ...metadata } = found.serverMetadata();
    checkMetadata(metadata);
    known = { metadata, at };
    return metadata;
  };

  const make = async (
    client: typeof OpenId,
    fetch: OpenId.CustomFetch,
    maxAge: number,
  ): Promise<OpenId.Configuration> => {
    const metadata = await metadataOf(client, fetch, maxAge);
    const skew = Math.round((clock.now().getTime() - Date.now()) / 1000);
    const config = new client.Configuration(
      metadata,
      settings.client_id,
      { [client.clockSkew]: skew, [client.clockTolerance]: toleranceMs / 1_000 },
      authentication(client, metadata, secret),
    );
    config[client.customFetch] = fetch;
    config.timeout = timeout;
    if (isPlain) client.allowInsecureRequests(config);
    // Else the token would be believed because of the connection it came by, signed or not.
    client.enableNonRepudiationChecks(config);
    return config;
  };

  return {
    make,
    forgetMetadata() {
      known = null;
    },
  };
}

/** Whether a browser can be sent there. */
export const isWeb = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:";

function checkMetadata(metadata: OpenId.ServerMetadata): void {
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
    const address = metadata[name];
    if (address !== undefined && URL.canParse(address) && isWeb(new URL(address))) continue;
    throw new ProviderError("invalid", `Its metadata name no ${name}.`);
  }
}

/** As the provider wants it; OpenID Connect's own default where it does not say. */
function authentication(
  client: typeof OpenId,
  { token_endpoint_auth_methods_supported: methods }: OpenId.ServerMetadata,
  secret: string | null,
): OpenId.ClientAuth {
  if (secret === null) return client.None();
  const isPosted = methods?.includes("client_secret_post") && !methods.includes("client_secret_basic");
  return isPosted ? client.ClientSecretPost(secret) : basicAuthentication(secret);
}

/**
 * RFC 6749 §2.3.1, encoded as forms are (`-`, `.` and `_` stay as they are): the library also encodes these, and providers that
 * decode nothing, such as Glewlwyd, then take the secret for a wrong one.
 */
function basicAuthentication(secret: string): OpenId.ClientAuth {
  const encoded = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return (_server, { client_id: id }, _body, headers) => {
    headers.set("authorization", `Basic ${btoa(`${encoded(id)}:${encoded(secret)}`)}`);
  };
}
