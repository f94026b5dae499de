import type { ItemAccess } from "../../../contract/access.ts";
import type { Received } from "../../../contract/define.ts";
import { shownName } from "../../lib/shownName.ts";

/** One person who was given access. `email` as it came; people are told apart by `foldEmail` of it. `name` as it may be shown. */
export interface PersonGrant {
  readonly email: string;
  readonly name: string;
  readonly role: string;
}

/** One team that was given access. */
export interface TeamGrant {
  readonly teamId: string;
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
  readonly people: readonly PersonGrant[];
  readonly teams: readonly TeamGrant[];
  /** The role of everybody in the organisation; null without one. */
  readonly organization: string | null;
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
  const people = new Map<string, PersonGrant>();
  for (const { email, name, role } of given.people ?? []) {
    if (email)
      keepStrongest(people, foldEmail(email), { email, name: shownName(name || email), role: role ?? "" });
  }
  const teams = new Map<string, TeamGrant>();
  for (const { team_id, role } of given.teams ?? []) {
    if (team_id) keepStrongest(teams, team_id, { teamId: team_id, role: role ?? "" });
  }
  const mode = given.link ?? "none";
  const hidden = Object.entries(given.hidden_by_role ?? {}).map(([role, counts]) => ({
    role,
    people: counts?.people ?? 0,
    teams: counts?.teams ?? 0,
  }));
  return {
    people: [...people.values()],
    teams: [...teams.values()],
    organization: given.organization_access?.role ?? null,
    link: { mode, role: mode === "none" ? null : (given.link_role ?? null) },
    hasPassword: given.password_protected === true,
    linkUrl: given.link_url ?? null,
    homeTeamId: given.made_for_team_id,
    isLimited: given.grants_visibility === "limited" || hidden.length > 0,
    hidden: hidden.filter((one) => one.people > 0 || one.teams > 0),
    unread: (["people", "teams", "link"] as const).filter((part) => given[part] == null),
  };
}

function keepStrongest<G extends { readonly role: string }>(
  grants: Map<string, G>,
  id: string,
  next: G,
): void {
  const known = grants.get(id);
  if (known === undefined || strength(next.role) > strength(known.role)) grants.set(id, next);
}

/** The roles that we know, weakest first. Others are shown raw and kept. */
const knownRoles = ["viewer", "editor", "owner"];

/** How much a role allows; -1 for roles that we do not know. */
export function strength(role: string): number {
  return knownRoles.indexOf(role);
}

/** Roles that a person can give; `owner` is the creator's alone. */
export const givenRoles = ["viewer", "editor"] as const;
