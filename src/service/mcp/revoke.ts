import { isOverheard } from "./client-metadata.ts";
import type { SignedInSecrets } from "./secrets.ts";

type Fetch = typeof globalThis.fetch;

/**
 * Gives tokens back to the authorization server that gave them (RFC 7009), where its metadata name a place for that: the
 * refresh token first, as the access token mostly falls with it.
 * @param fetch the guarded fetch of the server, with its limit of time
 * @returns false where there is no such place
 * @throws Error where it does not answer, refuses, or could be overheard; the tokens may still be good there then
 */
export async function revokeTokens(
  { tokens, client, discovery }: SignedInSecrets,
  fetch: Fetch,
): Promise<boolean> {
  const metadata: Readonly<Record<string, unknown>> = discovery.authorizationServerMetadata ?? {};
  const endpoint = metadata.revocation_endpoint;
  if (typeof endpoint !== "string") return false;
  if (isOverheard(endpoint)) throw new Error("The place where tokens are given back is not reached by https");
  const methods = metadata.revocation_endpoint_auth_methods_supported;
  const secret = client.client_secret;
  // Of the two ways to send a secret the standard's own, unless the server only says the other.
  const inHeader =
    secret !== undefined && (!Array.isArray(methods) || methods.includes("client_secret_basic"));
  const headers: Record<string, string> = {
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  };
  if (inHeader) headers.authorization = `Basic ${btoa(`${formText(client.client_id)}:${formText(secret)}`)}`;
  const given = [
    ["refresh_token", tokens.refresh_token],
    ["access_token", tokens.access_token],
  ] as const;
  for (const [token_type_hint, token] of given) {
    if (token === undefined) continue;
    const form = new URLSearchParams({ token, token_type_hint });
    if (!inHeader) form.set("client_id", client.client_id);
    if (!inHeader && secret !== undefined) form.set("client_secret", secret);
    // A redirect would carry the token to an address that nobody named.
    const init = { method: "POST", headers, body: form.toString(), redirect: "manual" } as const;
    const response = await fetch(endpoint, init);
    await response.body?.cancel();
    if (!response.ok) throw new Error(`Giving back the ${token_type_hint} was answered ${response.status}`);
  }
  return true;
}

/**
 * Whether giving back the tokens of a sign-in leaves the later one alone. Each sign-in registers a client of its own, unless
 * the operator registered one or the sign-in reads the service's own document: of one client and person some authorization servers end all sign-ins along with one token.
 */
export function canRevokeAlone(earlier: SignedInSecrets, later: SignedInSecrets): boolean {
  return earlier.client.client_id !== later.client.client_id;
}

/** As RFC 6749 §2.3.1 writes ids and secrets in the header. */
function formText(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
