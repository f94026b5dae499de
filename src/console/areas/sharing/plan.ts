import {
  type Access,
  type Grantee,
  isOwner,
  type LinkSetting,
  newGrant,
  rolesOf,
  subjectOf,
} from "./access.ts";
import type { AccessBody } from "./queries.ts";

/** What a person wants of the link. `password` goes to the service and nowhere else; another mode keeps what was typed. */
interface LinkEdit extends LinkSetting {
  readonly password?: string | undefined;
}

/** What a person wants one grantee to have; null: no access. */
interface Wish extends Grantee {
  readonly role: string | null;
}

/** What a person changed so far, by what it is about. What is not named stays. */
export interface Edits {
  /** By subject. */
  readonly wishes: ReadonlyMap<string, Wish>;
  readonly link?: LinkEdit | undefined;
}

export const noEdits: Edits = { wishes: new Map() };

/** The link as it was and as it will be. */
export interface LinkChange {
  readonly kind: "link";
  readonly from: LinkSetting;
  readonly to: LinkSetting;
  /** A new password goes with it. */
  readonly setsPassword: boolean;
}

/** What one grantee may do, before and after. `from` and `to` are roles; null: no access. */
export interface GrantChange extends Grantee {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** One difference between two settings. */
export type Change = GrantChange | LinkChange;

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
  const password = passwordOf(edits);
  const changes = changesBetween(access, after, password !== undefined);
  return { body: bodyOf(changes, password), changes, after };
}

/** The new password of the link, where it is to have one. */
export const passwordOf = ({ link }: Edits): string | undefined =>
  link?.mode === "password" ? link.password : undefined;

/** The settings as they will be. The order is kept; what is added comes last of its kind. */
function applyEdits(access: Access, { link: wanted, wishes }: Edits): Access {
  const link: LinkSetting =
    wanted === undefined
      ? access.link
      : { mode: wanted.mode, role: wanted.mode === "none" ? null : wanted.role };
  const before = rolesOf(access);
  const kept = access.grants.flatMap((grant) => {
    const wish = wishes.get(subjectOf(grant));
    if (wish === undefined || isOwner(grant)) return [grant];
    return wish.role === null ? [] : [{ ...grant, role: wish.role }];
  });
  const added = [...wishes].flatMap(([subject, wish]) =>
    wish.role === null || before.has(subject) ? [] : [newGrant(wish, wish.role)],
  );
  return {
    ...access,
    grants: byKind([...kept, ...added]),
    link,
    hasPassword: link.mode === access.link.mode ? access.hasPassword : link.mode === "password",
    // A link that is switched on gets its address from the service.
    linkUrl: link.mode === "none" || access.link.mode === "none" ? null : access.linkUrl,
  };
}

const kinds: readonly Grantee["kind"][] = ["person", "team", "organization"];

function byKind<G extends Grantee>(grants: readonly G[]): G[] {
  return kinds.flatMap((kind) => grants.filter((grant) => grant.kind === kind));
}

/**
 * What differs from one reading of the settings to another: of each kind those whose role is another one or is new, then
 * those that are gone. Names and order do not count.
 */
export function changesBetween(from: Access, to: Access, setsPassword = false): Change[] {
  const before = rolesOf(from);
  const after = rolesOf(to);
  const gone = from.grants.filter((grant) => !after.has(subjectOf(grant)));
  const changes: Change[] = byKind([...to.grants, ...gone]).flatMap(({ kind, id, name }) => {
    const subject = subjectOf({ kind, id });
    const [was, is] = [before.get(subject) ?? null, after.get(subject) ?? null];
    return was === is ? [] : [{ kind, id, name, from: was, to: is }];
  });
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

function granteeOf({ kind, id }: Grantee) {
  if (kind === "person") return { type: kind, email: id } as const;
  return kind === "team" ? ({ type: kind, team_id: id } as const) : ({ type: kind } as const);
}

/** The edits with another wish for one grantee: a role, or null for no access. */
export function withRole(edits: Edits, { kind, id }: Grantee, role: string | null): Edits {
  const wish = { kind, id, role };
  return { ...edits, wishes: new Map(edits.wishes).set(subjectOf(wish), wish) };
}

/** The edits with a part of the link changed; what was not edited yet is as it was read. */
export function withLink(access: Access, edits: Edits, part: Partial<LinkEdit>): Edits {
  const now = edits.link ?? access.link;
  const next = { ...now, ...part };
  const { password, ...setting } = next;
  const role = next.mode === "none" ? null : (next.role ?? "viewer");
  const keeps = password !== undefined && password !== "";
  return { ...edits, link: { ...setting, role, ...(keeps && { password }) } };
}
