import { email as emailForm } from "../../contract/admin.ts";
import { fits, isBlank } from "../../contract/limits.ts";
import { storableText } from "../store/json.ts";
import type { SignInSettings } from "./settings.ts";

type Claims = Readonly<Record<string, unknown>>;

/** Who signed in, as the provider's claims say it. All of it is somebody else's text. */
export interface Claimed {
  readonly subject: string;
  /** Null: none came, or it has not the form of one. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
}

/** So many groups of a person are looked at, and of those kept. */
const maxGroups = 2_000;
const maxGroupLength = 300;
const maxNameLength = 100;

/**
 * A claim by its whole name, else by the way to it: `realm_access.roles`. Only what is the object's own.
 * @returns undefined where there is none
 */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let at: unknown = claims;
  for (const part of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
}

/** Whether the claims lack something that the other place, the provider's userinfo, may have. */
export function lacks(claims: Claims, { claims: names }: SignInSettings): boolean {
  return [names.email, names.groups].some((name) => claimAt(claims, name) === undefined);
}

/** @param claims of the ID token, and, where it lacks something, of userinfo with those of the token above them */
export function readClaims(subject: string, claims: Claims, settings: SignInSettings): Claimed {
  const email = emailForm.safeParse(claimAt(claims, settings.claims.email));
  const verified = claims.email_verified;
  return {
    subject,
    email: email.success && storableText(email.data) === email.data ? email.data : null,
    isEmailVerified:
      verified === true || verified === "true" || (verified === undefined && settings.trust_email),
    ...readName(claims, settings, email.success ? email.data : ""),
    groups: readGroups(claimAt(claims, settings.claims.groups), settings),
  };
}

/** Those that are mapped first: of very many the others are left out. */
function readGroups(value: unknown, { groups }: SignInSettings): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const names = list.flatMap((one) => (typeof one === "string" && one !== "" ? [storableText(one)] : []));
  const usable = [...new Set(names)].filter((one) => one.length <= maxGroupLength);
  const isMapped = (name: string) => Object.hasOwn(groups, name);
  return [...usable.filter(isMapped), ...usable.filter((one) => !isMapped(one))].slice(0, maxGroups);
}

/** Given and family name where they came and no other claim is asked for, else the name, cut at its last space. */
function readName(claims: Claims, settings: SignInSettings, email: string) {
  const [given, family] = [nameOf(claims.given_name), nameOf(claims.family_name)];
  if (settings.claims.name === "name" && given !== "") return { firstName: given, lastName: family };
  const whole = nameOf(claimAt(claims, settings.claims.name)) || nameOf(email.split("@")[0]) || "Unnamed";
  const cut = whole.lastIndexOf(" ");
  return cut === -1
    ? { firstName: whole, lastName: "" }
    : { firstName: whole.slice(0, cut), lastName: whole.slice(cut + 1) };
}

function nameOf(value: unknown): string {
  if (typeof value !== "string") return "";
  const text = storableText(value).trim().replaceAll(/\s+/g, " ");
  return isBlank(text) || !fits(text, maxNameLength) ? "" : text;
}
