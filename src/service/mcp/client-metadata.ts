import type { OAuthClientMetadata } from "@modelcontextprotocol/client";

/** Where this service says who it is, as a client of the sign-ins of MCP servers: below its public address. */
export const clientMetadataPath = "/mcp/oauth/client.json";

/** What sign-ins are told of this service, whether it registers with them or they read it. @param redirectUrl of the callback */
export function clientMetadata(redirectUrl: string) {
  return {
    client_name: "Wheelhouse",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    // PKCE proves who comes back; a secret that expires would only end the connection.
    token_endpoint_auth_method: "none",
    // RFC 8252: a browser comes back to this machine, or to a site.
    application_type: isLoopback(new URL(redirectUrl).hostname) ? "native" : "web",
  } satisfies OAuthClientMetadata;
}

/**
 * The address by which sign-ins may know this service without a registration (a client metadata document): null where they
 * could not read it, as it is not https.
 */
export function clientMetadataUrl(publicUrl: string): string | null {
  return publicUrl.startsWith("https://") ? `${publicUrl}${clientMetadataPath}` : null;
}

/** The document; null where there is none. */
export function clientMetadataDocument(publicUrl: string) {
  const client_id = clientMetadataUrl(publicUrl);
  if (client_id === null) return null;
  return { client_id, client_uri: publicUrl, ...clientMetadata(`${publicUrl}/mcp/oauth/callback`) };
}

/** Whether others can read on the way what is sent there: by plain http, to another machine. @param address any URL */
export function isOverheard(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !isLoopback(hostname);
}

const isLoopback = (host: string) =>
  host === "localhost" || host.endsWith(".localhost") || host === "127.0.0.1" || host === "[::1]";
