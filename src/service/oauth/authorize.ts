import { type Scope, scopes } from "../../contract/scopes.ts";
import type { Store } from "../store/store.ts";
import { isDocumentId } from "./metadata-document.ts";
import { OauthError } from "./oauth-error.ts";
import type { Programs } from "./programs.ts";
import { isRedirect, matchesRedirect, redirectWith } from "./redirects.ts";
import { type Opened, openRequest } from "./requests.ts";

/** What becomes of an authorization request (RFC 6749 §4.1.1). */
export type Authorized =
  /** The person is asked. */
  | { readonly type: "ask"; readonly opened: Opened }
  /** The program hears why not. */
  | { readonly type: "redirect"; readonly location: string }
  /** Nobody who could be told is certain: the person is, in a sentence. */
  | { readonly type: "page"; readonly text: string };

export interface AuthorizeParts {
  readonly store: Pick<Store, "db">;
  readonly programs: Programs;
  /** Without a trailing slash: the issuer, and the resource that tokens are for. */
  readonly publicUrl: string;
}

const longest = 2_000;
const page = (text: string): Authorized => ({ type: "page", text });

/**
 * Checks what a program asks. The browser goes back to it only where its address is one that it was registered with: whoever
 * else would send people anywhere by a link to this service.
 * @param network that the browser asks from, as `networkOf` has it
 */
export async function authorize(
  { store, programs, publicUrl }: AuthorizeParts,
  query: URLSearchParams,
  network: string,
): Promise<Authorized> {
  const names = [...query.keys()];
  if (new Set(names).size !== names.length || [...query.values()].some((value) => value.length > longest))
    return page("The link that brought you here says the same thing twice, or is too long.");
  const id = query.get("client_id");
  const redirectUri = query.get("redirect_uri");
  if (id === null || redirectUri === null)
    return page(
      "The link that brought you here names no program (client_id), or not where to go back to (redirect_uri).",
    );
  const program = await programs.known(id);
  // What its document says is read when somebody who is signed in looks at the request, and compared then.
  const isUnread = program === null && programs.takesDocuments && isDocumentId(id);
  if (program === null && !isUnread)
    return page("The program that sent you here is not known to this service, or was removed.");
  if (isUnread ? !isRedirect(redirectUri) : !matchesRedirect(program?.redirect_uris ?? [], redirectUri))
    return page("The program that sent you here wants to be answered at an address that is not its own.");
  const state = query.get("state");
  try {
    const { scopes, challenge } = checkRequest(query, publicUrl);
    const asked = { program_id: id, redirect_uri: redirectUri, scopes, state, challenge, network };
    const opened = await openRequest(store, asked);
    if (opened !== null) return { type: "ask", opened };
    throw new OauthError("temporarily_unavailable", "Too many requests of this network wait for an answer.");
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    // Nobody here vouches for it, and nobody has signed in yet: a link to this service must not lead to wherever it likes.
    if (program?.kind !== "registered")
      return page(`The program that sent you here asks wrongly: ${error.message}`);
    const answer = { error: error.code, error_description: error.message, state };
    return { type: "redirect", location: redirectWith(redirectUri, publicUrl, answer) };
  }
}

/** @throws OauthError */
function checkRequest(query: URLSearchParams, publicUrl: string) {
  if (query.has("request")) throw new OauthError("request_not_supported", "request is not supported.");
  if (query.has("request_uri"))
    throw new OauthError("request_uri_not_supported", "request_uri is not supported.");
  if (query.get("response_type") !== "code")
    throw new OauthError("unsupported_response_type", "response_type must be code.");
  if ((query.get("response_mode") ?? "query") !== "query")
    throw new OauthError("invalid_request", "response_mode must be query.");
  const challenge = query.get("code_challenge") ?? "";
  if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge))
    throw new OauthError(
      "invalid_request",
      "PKCE is needed: code_challenge with code_challenge_method S256.",
    );
  checkResource(query.get("resource"), publicUrl);
  if (query.get("prompt") === "none")
    throw new OauthError("interaction_required", "A person is always asked here.");
  return { scopes: readScopes(query.get("scope")), challenge };
}

/**
 * A token is for this service and no other (RFC 8707).
 * @throws OauthError `invalid_target`
 */
export function checkResource(resource: string | null, publicUrl: string): void {
  if (resource === null || [publicUrl, `${publicUrl}/`, `${publicUrl}/api/v1`].includes(resource)) return;
  throw new OauthError("invalid_target", "resource must be the address of this service.");
}

/**
 * What is asked for. Nothing said is everything that a program may have, as an access token grants what a key does (§5.2); the
 * person reads it before they agree.
 * @throws OauthError `invalid_scope`
 */
export function readScopes(text: string | null, of: readonly Scope[] = scopes): readonly Scope[] {
  if (text === null || text === "") return of;
  const asked = new Set(text.split(" "));
  const found = of.filter((scope) => asked.has(scope));
  if (found.length !== asked.size)
    throw new OauthError("invalid_scope", `scope must be some of: ${of.join(" ")}.`);
  return found;
}
