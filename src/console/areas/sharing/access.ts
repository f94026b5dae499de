import type { ItemAccess } from "../../../contract/access.ts";
import type { Received } from "../../../contract/define.ts";
import { shownName } from "../../lib/shownName.ts";

/** Whom access can be given to: a person by folded e-mail, a team by id, or everybody in the organisation. */
export interface Grantee {
  readonly kind: "person" | "team" | "organization";
  /** Empty for the organisation. */
  readonly id: string;
}

/** What was given to one of them. */
export interface Grant extends Grantee {
  /** As it may be shown; a team's is its id, as teams are known by id only. */
  readonly name: string;
  /** Support for the name: the e-mail as it came, "team". */
  readonly about: string;
  readonly role: string;
}

/** How the link opens. `mode` `none`: there is no link that opens, and then it has no role either. */
export interface LinkSetting {
  readonly mode: string;
  readonly role: string | null;
}

/** What of the settings the answer left out or broke, so that nothing is concluded from its absence. */
export type Unread = "people" | "teams" | "link";

/** Who may open an artifact (§2.4), as the plan and the dialog work with it: everything is there. */
export interface Access {
  /** People first, then teams, the organisation last. */
  readonly grants: readonly Grant[];
  readonly link: LinkSetting;
  readonly hasPassword: boolean;
  /** The address to give away; null where the service does not tell it. */
  readonly linkUrl: string | null;
  /** The team that the artifact was made for, which reads it without a grant; null for none, undefined where it is not told. */
  readonly homeTeamId: string | null | undefined;
  /** The caller sees a part of the grants only. */
  readonly isLimited: boolean;
  /** How many grants the caller may not see, by role. */
  readonly hidden: readonly { readonly role: string; readonly people: number; readonly teams: number }[];
  readonly unread: readonly Unread[];
}

/** The form in which e-mails are compared. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The settings of an answer, as tolerant as every reading: what is missing is named in `unread`. */
export function readAccess(received: Received<ItemAccess> | null | undefined): Access {
  const given = received ?? {};
  const grants = new Map<string, Grant>();
  const keepStrongest = (next: Grant) => {
    const subject = subjectOf(next);
    const known = grants.get(subject);
    if (known === undefined || strength(next.role) > strength(known.role)) grants.set(subject, next);
  };
  for (const { email, name, role } of given.people ?? []) {
    const about = shownName(email ?? "");
    if (email) {
      const shown = name ? shownName(name) : about;
      keepStrongest({ kind: "person", id: foldEmail(email), name: shown, about, role: role ?? "" });
    }
  }
  for (const { team_id: id, role } of given.teams ?? []) {
    if (id) keepStrongest(newGrant({ kind: "team", id }, role ?? ""));
  }
  const organization = given.organization_access?.role;
  if (organization != null) keepStrongest(newGrant(everyone, organization));
  const mode = given.link ?? "none";
  const hidden = Object.entries(given.hidden_by_role ?? {}).map(([role, counts]) => ({
    role,
    people: counts?.people ?? 0,
    teams: counts?.teams ?? 0,
  }));
  return {
    grants: [...grants.values()],
    link: { mode, role: mode === "none" ? null : (given.link_role ?? null) },
    hasPassword: given.password_protected === true,
    linkUrl: given.link_url ?? null,
    homeTeamId: given.made_for_team_id,
    isLimited: given.grants_visibility === "limited" || hidden.length > 0,
    hidden: hidden.filter((one) => one.people > 0 || one.teams > 0),
    unread: (["people", "teams", "link"] as const).filter((part) => given[part] == null),
  };
}

/** Everybody in the organisation. */
export const everyone: Grantee = { kind: "organization", id: "" };

/** What tells one grantee, or the link, from another: `person.ada@example.com`, `organization`. */
export function subjectOf({ kind, id = "" }: { readonly kind: string; readonly id?: string }): string {
  return id === "" ? kind : `${kind}.${id}`;
}

/** A role for somebody of whom no more is known than whom it is given to. */
export function newGrant({ kind, id }: Grantee, role: string): Grant {
  const name = kind === "person" ? shownName(id) : id;
  return { kind, id, name, about: kind === "person" ? name : kind, role };
}

/** The roles by subject. */
export function rolesOf({ grants }: Pick<Access, "grants">): ReadonlyMap<string, string> {
  return new Map(grants.map((grant) => [subjectOf(grant), grant.role]));
}

/** The role of everybody in the organisation; null without one. */
export function organizationRole(access: Pick<Access, "grants">): string | null {
  return rolesOf(access).get(everyone.kind) ?? null;
}

/** The grants to people, or to teams. */
export function grantsTo({ grants }: Pick<Access, "grants">, kind: Grantee["kind"]): Grant[] {
  return grants.filter((grant) => grant.kind === kind);
}

/** Who made it keeps it, whatever is asked for. */
export function isOwner({ kind, role }: Grant): boolean {
  return kind === "person" && role === "owner";
}

/** The roles that we know, weakest first. Others are shown raw and kept. */
const knownRoles = ["viewer", "editor", "owner"];

/** How much a role allows; -1 for roles that we do not know. */
export function strength(role: string): number {
  return knownRoles.indexOf(role);
}

/** Roles that a person can give; `owner` is the creator's alone. */
export const givenRoles = ["viewer", "editor"] as const;
