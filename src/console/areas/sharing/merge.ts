import { sameJson } from "../../lib/json/json-value.ts";
import { type FieldRules, mergeRecords } from "../../lib/merge/merge-record.ts";
import { type Access, type Grantee, grantsTo, organizationRole, subjectOf } from "./access.ts";
import {
  type Change,
  changesBetween,
  type Edits,
  type LinkChange,
  noEdits,
  passwordOf,
  planOf,
  withRole,
} from "./plan.ts";

/** Something that this person and somebody else both changed, to different ends. */
export interface Clash {
  readonly subject: string;
  readonly mine: Change;
  readonly theirs: Change;
}

/** What somebody else did since the settings were read, and what it does to one's own edits. */
export interface Merge {
  readonly theirs: readonly Change[];
  /** Left to the person: which of the two holds. */
  readonly clashes: readonly Clash[];
  /** The own edits as they hold on top of the new settings; those that ask for what is now so are gone. */
  readonly edits: Edits;
}

/** Roles by whom they are given to, and the link as one: half of one and half of the other would be a third. */
const rules: FieldRules = {
  person: { form: "sections" },
  team: { form: "sections" },
  organization: { form: "value" },
  link: { form: "value" },
};

function recordOf(access: Access, password?: string): object {
  const roles = (kind: Grantee["kind"]) =>
    Object.fromEntries(grantsTo(access, kind).map(({ id, role }) => [id, role]));
  return {
    person: roles("person"),
    team: roles("team"),
    organization: organizationRole(access),
    link: { ...access.link, password },
  };
}

/**
 * Puts edits that were made on `base` on top of `now`. Nothing of either side is lost: what only one side touched stays
 * as that side has it, what both made the same is done, and the rest is a clash.
 */
export function merge(base: Access, now: Access, edits: Edits): Merge {
  const { after, changes } = planOf(base, edits);
  const mine = recordOf(after, passwordOf(edits));
  const { fields } = mergeRecords(rules, { base: recordOf(base), theirs: recordOf(now), mine }, Object);
  const kinds = new Map(fields.map(({ field, kind }) => [field, kind]));
  const theirs = changesBetween(base, now);
  const clashes = changes.flatMap((change): Clash[] => {
    const subject = subjectOf(change);
    const other = theirs.find((one) => subjectOf(one) === subject);
    return other && kinds.get(subject) === "conflict" ? [{ subject, mine: change, theirs: other }] : [];
  });
  const kept = changes.filter((change) => kinds.get(subjectOf(change)) !== "both");
  const next = editsOf(kept, passwordOf(edits));
  const link = next.link ?? now.link;
  // One that is typed and set aside stays so: it is put on no link that others gave a password.
  const aside = link.mode === "password" ? undefined : edits.link?.password;
  return {
    theirs,
    clashes,
    edits: aside === undefined ? next : { ...next, link: { ...link, password: aside } },
  };
}

/** The settings with what of the own changes is there now: theirs is only what differs from these. */
export function withMade(base: Access, now: Access, own: readonly Change[]): Access {
  const ends = new Map(changesBetween(base, now).map((change) => [subjectOf(change), change.to]));
  const made = own.filter((change) => sameJson(ends.get(subjectOf(change)), change.to));
  return planOf(base, editsOf(made)).after;
}

/** The edits that lead to these changes. */
export function editsOf(changes: readonly Change[], password?: string): Edits {
  let edits = noEdits;
  for (const change of changes) {
    if (change.kind !== "link") edits = withRole(edits, change, change.to);
    else edits = { ...edits, link: { ...change.to, ...(change.setsPassword && { password }) } };
  }
  return edits;
}

/** The edits with what `from` says of one subject, which may be nothing. */
export function withSubject(edits: Edits, from: Edits, subject: string): Edits {
  if (subject === "link") return { ...edits, link: from.link };
  const wishes = new Map(edits.wishes);
  const wish = from.wishes.get(subject);
  wishes.delete(subject);
  if (wish !== undefined) wishes.set(subject, wish);
  return { ...edits, wishes };
}

/** How a sent change is taken back, and what of it cannot be. */
export interface Undo {
  readonly edits: Edits;
  /** Whole sentences. */
  readonly cannot: readonly string[];
}

/**
 * Takes back what this person changed, and nothing that somebody else did since.
 * @param done the changes that were sent
 * @param after the settings as they came back then
 * @param now the settings as they are at present
 */
export function undoOf(done: readonly Change[], after: Access, now: Access): Undo {
  const others = new Map(changesBetween(after, now).map((change) => [subjectOf(change), change]));
  const cannot: string[] = [];
  const back: Change[] = [];
  for (const change of done) {
    const other = others.get(subjectOf(change));
    // Put back already: by somebody else, or by an undo whose answer got lost.
    if (other && sameJson(other.to, change.from)) continue;
    if (other) {
      cannot.push(`${nameOf(change)} was changed by someone else since and stays as is.`);
    } else if (change.kind === "link") {
      const { wanted, why } = linkBack(change);
      if (why !== null) cannot.push(why);
      if (wanted !== null) back.push({ ...change, to: wanted, setsPassword: false });
    } else {
      back.push({ ...change, from: change.to, to: change.from });
    }
  }
  return { edits: editsOf(back), cannot };
}

function linkBack({ from, to, setsPassword }: LinkChange) {
  if (from.mode === "password" && to.mode !== "password") {
    const why = "The link’s old password is unknown";
    return to.mode === "none"
      ? { wanted: null, why: `${why}, so the link stays off.` }
      : { wanted: { mode: "none", role: null }, why: `${why}, so the link is turned off instead.` };
  }
  if (from.mode === "password" && setsPassword) {
    return { wanted: from, why: "The old password can’t be restored: the new one stays." };
  }
  if (from.mode !== "none" && to.mode === "none") {
    return { wanted: from, why: "The link may get a new address; the old one may no longer work." };
  }
  return { wanted: from, why: null };
}

function nameOf(change: Change): string {
  if (change.kind === "link") return "The link";
  if (change.kind === "organization") return "The organisation's access";
  return change.kind === "person" ? change.name : `Team ${change.id}`;
}
