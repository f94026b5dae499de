import { shownName } from "../../lib/shownName.ts";
import { type Access, foldEmail, type LinkSetting } from "./access.ts";
import type { AccessBody } from "./queries.ts";

/** What a person wants of the link. `password` goes to the service and nowhere else. */
export interface LinkEdit extends LinkSetting {
  readonly password?: string | undefined;
}

/** What a person changed so far, by what it is about. Null takes a grant away; what is not named stays. */
export interface Edits {
  /** By folded e-mail. */
  readonly people: ReadonlyMap<string, string | null>;
  /** By team id. */
  readonly teams: ReadonlyMap<string, string | null>;
  readonly organization?: string | null | undefined;
  readonly link?: LinkEdit | undefined;
}

export const noEdits: Edits = { people: new Map(), teams: new Map() };

/** One difference between two settings. `from` and `to` are roles; null: no access. */
export type Change =
  | {
      readonly kind: "person";
      readonly id: string;
      readonly name: string;
      readonly from: string | null;
      readonly to: string | null;
    }
  | {
      readonly kind: "team";
      readonly id: string;
      readonly from: string | null;
      readonly to: string | null;
    }
  | { readonly kind: "organization"; readonly from: string | null; readonly to: string | null }
  | {
      readonly kind: "link";
      readonly from: LinkSetting;
      readonly to: LinkSetting;
      /** A new password goes with it. */
      readonly setsPassword: boolean;
    };

/** What will be sent, and what follows from it. */
export interface Plan {
  /** Only what differs from the settings as read (§4.7). */
  readonly body: AccessBody;
  readonly changes: readonly Change[];
  /** The settings after the change, if nobody else changes them. */
  readonly after: Access;
}

/** Turns edits into the change to send. Edits that ask for what is already so are left out, and the owner stays. */
export function planOf(access: Access, edits: Edits): Plan {
  const after = applyEdits(access, edits);
  const changes = changesBetween(access, after, edits.link?.password !== undefined);
  return { body: bodyOf(changes, edits.link?.password), changes, after };
}

/** The settings as they will be. The order is kept; what is added comes last. */
export function applyEdits(access: Access, edits: Edits): Access {
  const people = access.people.flatMap((person) => {
    const wanted = edits.people.get(foldEmail(person.email));
    if (wanted === undefined || person.role === "owner") return [person];
    return wanted === null ? [] : [{ ...person, role: wanted }];
  });
  const present = new Set(access.people.map(({ email }) => foldEmail(email)));
  for (const [email, role] of edits.people) {
    if (role !== null && !present.has(email)) people.push({ email, name: shownName(email), role });
  }
  const teams = access.teams.flatMap((team) => {
    const wanted = edits.teams.get(team.teamId);
    if (wanted === undefined) return [team];
    return wanted === null ? [] : [{ ...team, role: wanted }];
  });
  const teamsPresent = new Set(access.teams.map(({ teamId }) => teamId));
  for (const [teamId, role] of edits.teams) {
    if (role !== null && !teamsPresent.has(teamId)) teams.push({ teamId, role });
  }
  const { link: wanted } = edits;
  const link: LinkSetting =
    wanted === undefined
      ? access.link
      : { mode: wanted.mode, role: wanted.mode === "none" ? null : wanted.role };
  return {
    ...access,
    people,
    teams,
    organization: edits.organization === undefined ? access.organization : edits.organization,
    link,
    hasPassword: link.mode === access.link.mode ? access.hasPassword : link.mode === "password",
    // A link that is switched on gets its address from the service.
    linkUrl: link.mode === "none" || access.link.mode === "none" ? null : access.linkUrl,
  };
}

/** What differs from one reading of the settings to another. Names and order do not count. */
export function changesBetween(from: Access, to: Access, setsPassword = false): Change[] {
  const changes: Change[] = [];
  const before = new Map(from.people.map((person) => [foldEmail(person.email), person]));
  const after = new Map(to.people.map((person) => [foldEmail(person.email), person]));
  for (const [id, person] of after) {
    const was = before.get(id)?.role ?? null;
    if (was !== person.role)
      changes.push({ kind: "person", id, name: person.name, from: was, to: person.role });
  }
  for (const [id, person] of before) {
    if (!after.has(id)) changes.push({ kind: "person", id, name: person.name, from: person.role, to: null });
  }
  const teamsBefore = new Map(from.teams.map(({ teamId, role }) => [teamId, role]));
  const teamsAfter = new Map(to.teams.map(({ teamId, role }) => [teamId, role]));
  for (const [id, role] of teamsAfter) {
    const was = teamsBefore.get(id) ?? null;
    if (was !== role) changes.push({ kind: "team", id, from: was, to: role });
  }
  for (const [id, role] of teamsBefore) {
    if (!teamsAfter.has(id)) changes.push({ kind: "team", id, from: role, to: null });
  }
  if (from.organization !== to.organization) {
    changes.push({ kind: "organization", from: from.organization, to: to.organization });
  }
  if (setsPassword || from.link.mode !== to.link.mode || from.link.role !== to.link.role) {
    changes.push({ kind: "link", from: from.link, to: to.link, setsPassword });
  }
  return changes;
}

/** The body of the PUT for these changes (§4.7): a role that changes is given anew. */
export function bodyOf(changes: readonly Change[], password?: string): AccessBody {
  const share: NonNullable<AccessBody["share"]> = [];
  const remove: NonNullable<AccessBody["remove"]> = [];
  let link: AccessBody["link"];
  for (const change of changes) {
    switch (change.kind) {
      case "person":
        if (change.to === null) remove.push({ type: "person", email: change.id });
        else share.push({ type: "person", email: change.id, role: change.to });
        break;
      case "team":
        if (change.to === null) remove.push({ type: "team", team_id: change.id });
        else share.push({ type: "team", team_id: change.id, role: change.to });
        break;
      case "organization":
        if (change.to === null) remove.push({ type: "organization" });
        else share.push({ type: "organization", role: change.to });
        break;
      case "link":
        link = {
          mode: change.to.mode as "none" | "anyone" | "password",
          ...(change.to.mode !== "none" && { role: change.to.role }),
          ...(change.setsPassword && password !== undefined && { password }),
        };
    }
  }
  return {
    ...(share.length > 0 && { share }),
    ...(remove.length > 0 && { remove }),
    ...(link !== undefined && { link }),
  };
}

/** What tells one change from another: at most one change is about each. */
export function subjectOf(change: Change): string {
  return change.kind === "person" || change.kind === "team" ? `${change.kind} ${change.id}` : change.kind;
}

/** The edits with another wish for one person, by folded e-mail: a role, or null for no access. */
export function withPerson(edits: Edits, email: string, role: string | null): Edits {
  return { ...edits, people: new Map(edits.people).set(email, role) };
}

/** The same for a team. */
export function withTeam(edits: Edits, teamId: string, role: string | null): Edits {
  return { ...edits, teams: new Map(edits.teams).set(teamId, role) };
}

/** The same for everybody in the organisation. */
export function withOrganization(edits: Edits, role: string | null): Edits {
  return { ...edits, organization: role };
}

/** The edits with a part of the link changed; what was not edited yet is as it was read. */
export function withLink(access: Access, edits: Edits, part: Partial<LinkEdit>): Edits {
  const now = edits.link ?? access.link;
  const next = { ...now, ...part };
  const { password, ...setting } = next;
  const role = next.mode === "none" ? null : (next.role ?? "viewer");
  const keeps = next.mode === "password" && password !== undefined && password !== "";
  return { ...edits, link: { ...setting, role, ...(keeps && { password }) } };
}
