import { shownName } from "../../lib/shownName.ts";
import { type Access, foldEmail, type LinkSetting, type PersonGrant, type TeamGrant } from "./access.ts";
import type { AccessBody } from "./queries.ts";

/** What a person wants of the link. `password` goes to the service and nowhere else. */
interface LinkEdit extends LinkSetting {
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
function applyEdits(access: Access, edits: Edits): Access {
  const { link: wanted, organization = access.organization } = edits;
  const link: LinkSetting =
    wanted === undefined
      ? access.link
      : { mode: wanted.mode, role: wanted.mode === "none" ? null : wanted.role };
  return {
    ...access,
    people: withRoles(access.people, personId, edits.people, (email, role) => ({
      email,
      name: shownName(email),
      role,
    })),
    teams: withRoles(access.teams, teamId, edits.teams, (id, role) => ({ teamId: id, role })),
    organization,
    link,
    hasPassword: link.mode === access.link.mode ? access.hasPassword : link.mode === "password",
    // A link that is switched on gets its address from the service.
    linkUrl: link.mode === "none" || access.link.mode === "none" ? null : access.linkUrl,
  };
}

const personId = ({ email }: PersonGrant): string => foldEmail(email);
const teamId = (team: TeamGrant): string => team.teamId;

/** Grants with the wanted roles, null for none; a person who owns it keeps it. */
function withRoles<G extends PersonGrant | TeamGrant>(
  grants: readonly G[],
  idOf: (grant: G) => string,
  wanted: ReadonlyMap<string, string | null>,
  make: (id: string, role: string) => G,
): G[] {
  const present = new Set(grants.map(idOf));
  const kept = grants.flatMap((grant) => {
    const role = wanted.get(idOf(grant));
    if (role === undefined || ("email" in grant && grant.role === "owner")) return [grant];
    return role === null ? [] : [{ ...grant, role }];
  });
  const added = [...wanted].flatMap(([id, role]) =>
    role === null || present.has(id) ? [] : [make(id, role)],
  );
  return [...kept, ...added];
}

/** What differs from one reading of the settings to another. Names and order do not count. */
export function changesBetween(from: Access, to: Access, setsPassword = false): Change[] {
  const changes: Change[] = [
    ...roleChanges(from.people, to.people, personId).map(
      ({ grant, ...change }) => ({ kind: "person", ...change, name: grant.name }) as const,
    ),
    ...roleChanges(from.teams, to.teams, teamId).map(
      ({ grant: _, ...change }) => ({ kind: "team", ...change }) as const,
    ),
  ];
  if (from.organization !== to.organization) {
    changes.push({ kind: "organization", from: from.organization, to: to.organization });
  }
  if (setsPassword || from.link.mode !== to.link.mode || from.link.role !== to.link.role) {
    changes.push({ kind: "link", from: from.link, to: to.link, setsPassword });
  }
  return changes;
}

/** Grants whose role is another one or is new, then those that are gone. */
function roleChanges<G extends { readonly role: string }>(
  from: readonly G[],
  to: readonly G[],
  idOf: (grant: G) => string,
) {
  const before = new Map(from.map((grant) => [idOf(grant), grant]));
  const after = new Map(to.map((grant) => [idOf(grant), grant]));
  return [...after, ...[...before].filter(([id]) => !after.has(id))]
    .map(([id, grant]) => ({
      id,
      grant,
      from: before.get(id)?.role ?? null,
      to: after.get(id)?.role ?? null,
    }))
    .filter((change) => change.from !== change.to);
}

/** The body of the PUT for these changes (§4.7): a role that changes is given anew. */
export function bodyOf(changes: readonly Change[], password?: string): AccessBody {
  const share: NonNullable<AccessBody["share"]> = [];
  const remove: NonNullable<AccessBody["remove"]> = [];
  let link: AccessBody["link"];
  for (const change of changes) {
    if (change.kind === "link") {
      link = {
        mode: change.to.mode as "none" | "anyone" | "password",
        ...(change.to.mode !== "none" && { role: change.to.role }),
        ...(change.setsPassword && password !== undefined && { password }),
      };
    } else if (change.to === null) remove.push(granteeOf(change));
    else share.push({ ...granteeOf(change), role: change.to });
  }
  return {
    ...(share.length > 0 && { share }),
    ...(remove.length > 0 && { remove }),
    ...(link !== undefined && { link }),
  };
}

function granteeOf(change: Exclude<Change, { kind: "link" }>) {
  if (change.kind === "person") return { type: "person", email: change.id } as const;
  return change.kind === "team"
    ? ({ type: "team", team_id: change.id } as const)
    : ({ type: "organization" } as const);
}

/** What tells one change from another: at most one change is about each. */
export function subjectOf(change: Change): string {
  return change.kind === "person" || change.kind === "team" ? `${change.kind}.${change.id}` : change.kind;
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
