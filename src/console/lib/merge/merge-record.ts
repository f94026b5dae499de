import { isObject, type JsonObject, own, presentKeys, sameJson } from "../json/json-value.ts";
import { growList, type Identify, type MergedList, mergeList } from "./merge-list.ts";
import { joinLines, type TextChunk } from "./merge-text.ts";
import { grow, kindOf, type Leaf, type MergeKind, mergeLeaf, mergeTree, type Three } from "./merge-value.ts";

/**
 * How a field is merged. `value`: as a whole; `text`: by line; `list`: item by item and value by value, of which those
 * named by `sets` are sets; `sections`: each key of it is a field of its own, merged key by key.
 */
export type FieldRule =
  | { readonly form: "value" | "text" | "sections" }
  | { readonly form: "list"; readonly identify: Identify; readonly sets?: readonly string[] };

/** The fields of a record in order, each with how it is merged. */
export type FieldRules = Readonly<Record<string, FieldRule>>;

/** A list that was merged by the identity of its items; the whole list is the value. */
export type ListField = { readonly form: "list"; readonly field: string } & MergedList;

/** A field of which three versions became one; one key of a field with sections is `metadata.chat`. */
export type MergedField =
  | { readonly form: "value" | "text"; readonly field: string; readonly kind: MergeKind; readonly leaf: Leaf }
  | ListField
  | {
      readonly form: "section";
      readonly field: string;
      /** The field and the key that it is. */
      readonly of: readonly [field: string, section: string];
      readonly kind: MergeKind;
      readonly leaves: readonly Leaf[];
    };

/** Three versions of a record in one. */
export interface MergeResult<T> {
  /** What both sides together make; where a choice is open, mine. Send `resolve(result, choices)`, not this. */
  readonly merged: T;
  /** Every field, also those that nobody changed. */
  readonly fields: readonly MergedField[];
  /** Makes a record of the values of its fields. */
  readonly read: (values: unknown) => T;
}

type Fields = { readonly fields: readonly MergedField[] };

/**
 * What a person chose for one conflict. `both`: of lines and lists mine, then theirs; of other values mine.
 * `write`: written anew (of lines the text, else the value; undefined takes it out).
 */
export type Choice = "mine" | "theirs" | "both" | { readonly write: unknown };

/** Choices by the id of the conflict. */
export type Choices = Readonly<Record<string, Choice>>;

/** One thing that has to be decided. */
export interface Conflict {
  readonly id: string;
  readonly field: string;
  /** Of which item of a list; null elsewhere. */
  readonly identity: string | null;
  /** From the field (or the item) to the value. */
  readonly path: readonly string[];
  /** `lines`: the three are lists of lines; `list`: all that are there are lists; `order`: identities in order. */
  readonly form: "lines" | "list" | "value" | "order";
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/**
 * Merges two changes of one record, field by field. What does not touch merges by itself; what both changed differently is
 * a conflict, decided one by one (`openConflicts`, `resolve`). Nothing of either side is lost: what is not in `merged`
 * stands in a conflict. Of `base, x, base` comes x, and so of `base, base, x`.
 * @param three what both began with, what is there now, and what is to be put on top
 */
export function mergeRecords<T extends object>(
  rules: FieldRules,
  three: { readonly base: T; readonly theirs: T; readonly mine: T },
  read: (values: unknown) => T,
): MergeResult<T> {
  const fields = Object.entries(rules).flatMap(([field, rule]): MergedField[] => {
    const at = (record: T) => own(record as JsonObject, field);
    const values = { base: at(three.base), theirs: at(three.theirs), mine: at(three.mine) };
    if (rule.form === "sections") return sectionsOf(field, values);
    if (rule.form === "list") return [{ form: "list", field, ...mergeList(field, values, rule) }];
    const leaf = mergeLeaf(values, { id: [field], path: [] }, rule.form === "text" ? "always" : "never");
    return [{ form: rule.form, field, kind: leaf.kind, leaf }];
  });
  return { merged: read(valuesOf(fields, {})), fields, read };
}

function sectionsOf(field: string, { base, theirs, mine }: Three): MergedField[] {
  const keysOf = (value: unknown) => (isObject(value) ? presentKeys(value) : []);
  const keys = new Set([...keysOf(base), ...[...keysOf(theirs), ...keysOf(mine)].sort()]);
  return [...keys].map((section): MergedField => {
    const at = (value: unknown) => (isObject(value) ? own(value, section) : undefined);
    const values = { base: at(base), theirs: at(theirs), mine: at(mine) };
    const leaves = mergeTree(values, { id: [field, section], path: [] });
    const kind = kindOf(leaves.map((leaf) => leaf.kind));
    return { form: "section", field: `${field}.${section}`, of: [field, section], kind, leaves };
  });
}

/** The conflicts of a merge, in the order of its fields; the same from both sides. */
export function conflictsOf({ fields }: Fields): Conflict[] {
  return fields.flatMap((field) => {
    const of = (leaf: Leaf, identity: string | null = null) => leafConflicts(leaf, field.field, identity);
    if (field.form === "section") return field.leaves.flatMap((leaf) => of(leaf));
    if (field.form !== "list") return of(field.leaf);
    const items = field.entries.flatMap(({ identity, leaves }) =>
      leaves.flatMap((leaf) => of(leaf, identity)),
    );
    return [...items, ...of(field.order).map((conflict) => ({ ...conflict, form: "order" as const }))];
  });
}

/** The conflicts that have no choice yet. A save has to wait for them. */
export function openConflicts(result: Fields, choices: Choices): Conflict[] {
  return conflictsOf(result).filter(({ id }) => !Object.hasOwn(choices, id));
}

/** The record that a merge and the choices make. Where a choice is missing it has mine: see `openConflicts`. */
export function resolve<T>({ fields, read }: Omit<MergeResult<T>, "merged">, choices: Choices): T {
  return read(valuesOf(fields, choices));
}

/**
 * The choices that still hold after another merge: those of conflicts of which all three sides are what they were. For a
 * second refusal in a row.
 */
export function carryChoices(before: Fields, after: Fields, choices: Choices): Choices {
  const [known, open] = [conflictsOf(before), conflictsOf(after)];
  const kept = open.flatMap((conflict) => {
    // The same lines may stand at several places, which their order tells apart for as long as there are as many.
    const alike = (all: readonly Conflict[]) => all.filter((one) => sameConflict(one, conflict));
    const [were, are] = [alike(known), alike(open)];
    if (were.length !== are.length) return [];
    const id = were[are.indexOf(conflict)]?.id ?? "";
    const choice = Object.hasOwn(choices, id) ? choices[id] : undefined;
    return choice === undefined ? [] : [[conflict.id, choice] as const];
  });
  return Object.fromEntries(kept);
}

function sameConflict({ id: _a, ...a }: Conflict, { id: _b, ...b }: Conflict): boolean {
  return sameJson(a, b);
}

function leafConflicts(leaf: Leaf, field: string, identity: string | null): Conflict[] {
  const place = { field, identity, path: leaf.path };
  if (leaf.kind !== "conflict") return [];
  if (leaf.chunks !== null) {
    return leaf.chunks
      .filter((chunk) => chunk.kind === "conflict")
      .map(({ id, base, mine, theirs }) => ({ id, ...place, form: "lines", base, mine, theirs }));
  }
  const { id, base, mine, theirs } = leaf;
  const lists = [base, mine, theirs]
    .filter((side) => side !== undefined)
    .every((side) => Array.isArray(side));
  return [{ id, ...place, form: lists ? "list" : "value", base, mine, theirs }];
}

/** The value of a leaf after the choices. */
function chosen(leaf: Leaf, choices: Choices): unknown {
  if (leaf.kind !== "conflict") return leaf.merged;
  if (leaf.chunks !== null) {
    return joinLines(
      leaf.chunks.flatMap((chunk) => chosenLines(chunk, choices)),
      leaf.lineBreak,
    );
  }
  const choice = choiceOf(choices, leaf.id);
  if (typeof choice === "object") return choice.write;
  const { mine, theirs } = leaf;
  if (choice === "theirs") return theirs;
  if (choice === "mine" || !Array.isArray(mine) || !Array.isArray(theirs)) return mine;
  return [...mine, ...theirs.filter((item) => !mine.some((one) => sameJson(one, item)))];
}

function choiceOf(choices: Choices, id: string): Choice {
  return (Object.hasOwn(choices, id) ? choices[id] : undefined) ?? "mine";
}

/** The lines of a merged text at one place, after the choices; mine where there is none. */
export function chosenLines(chunk: TextChunk, choices: Choices): readonly string[] {
  if (chunk.kind !== "conflict") return chunk.lines;
  const choice = choiceOf(choices, chunk.id);
  if (typeof choice === "object") return typeof choice.write === "string" ? choice.write.split(/\r?\n/) : [];
  return choice === "both" ? [...chunk.mine, ...chunk.theirs] : chunk[choice];
}

/** The values of all fields; `grow` puts a section at its place, as it took it apart. */
function valuesOf(fields: readonly MergedField[], choices: Choices): unknown {
  const pick = (leaf: Leaf) => chosen(leaf, choices);
  return grow(
    fields.flatMap((field) => {
      if (field.form === "list") return [{ path: [field.field], value: growList(field, pick) }];
      if (field.form !== "section") return [{ path: [field.field], value: pick(field.leaf) }];
      return field.leaves.map((leaf) => ({ path: [...field.of, ...leaf.path], value: pick(leaf) }));
    }),
  );
}
