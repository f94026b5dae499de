import type { EndpointName } from "./endpoints.ts";
import { type Needed, neededRight } from "./roles.ts";

/** What a program may be let do for a person, least first. None holds another: a program asks for all that it needs. */
export const scopes = ["read", "run", "write"] as const;
export type Scope = (typeof scopes)[number];

/** The scope that each right of the table of roles takes; null: no program has it, whatever its person may do. */
export const scopeOfRight: Readonly<Record<Needed, Scope | null>> = {
  see: "read",
  operate: "run",
  edit: "write",
  manage: null,
  own: null,
  administer: null,
  open: null,
};

/** What a program may read of its person: who they are, and what they may do. */
const aboutItsPerson: readonly EndpointName[] = ["getCapabilities", "getOwnRoles"];

/**
 * The scope that an endpoint takes of a program's access token, beside what the person's own roles allow.
 * @returns null: it is for people and their own keys alone
 */
export function neededScope(endpoint: {
  readonly name: string;
  readonly kind: "read" | "write";
}): Scope | null {
  if (aboutItsPerson.some((name) => name === endpoint.name)) return "read";
  return scopeOfRight[neededRight(endpoint)];
}

/** How long an access token of a program lasts, in seconds. */
export const accessTokenSeconds = 3_600;
/** After so many days without a use a program has to be let in again. */
export const connectionDays = 30;

/** Where programs send a browser, and call; all at the root of the service. */
export const oauthPaths = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  /** RFC 8414. */
  server: "/.well-known/oauth-authorization-server",
  /** RFC 9728, for the whole origin; below it, for the API, with its path behind. */
  resource: "/.well-known/oauth-protected-resource",
  /** The page of the console that asks the person. */
  consent: "/oauth/consent",
} as const;
