import { isObject, type JsonObject, own, presentKeys, sameJson } from "../json/json-value.ts";
import { joinLines, mergeText, type TextChunk } from "./merge-text.ts";

/** Who changed something: nobody, I alone, they alone, both without hurting each other, or both differently. */
export type MergeKind = "same" | "mine" | "theirs" | "both" | "conflict";

/** One value in a merge. `undefined` stands for "not there": JSON has no other use for it. */
export interface Leaf {
  /** Names it in the choices; for `conflict` with `chunks` the choices are by the chunks' own ids. */
  readonly id: string;
  /** From the field (of an item of a list: from the item) to the value; empty for the whole. */
  readonly path: readonly string[];
  readonly kind: MergeKind;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** What both together make of it. Where a choice is open: mine, so that nothing typed disappears meanwhile. */
  readonly merged: unknown;
  /** For texts that both sides changed: their lines. */
  readonly chunks: readonly TextChunk[] | null;
  /** How the lines of `chunks` are joined. */
  readonly lineBreak: "\n" | "\r\n";
}

/** Three versions of one value; `undefined`: not there. */
export interface Three {
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

/** Where a leaf stands: the beginning of its id, and its path. */
export interface LeafPlace {
  readonly id: readonly string[];
  readonly path: readonly string[];
}

/** When texts that both sides changed are merged by line: `long`: where one of the three has more than one line. */
export type ByLine = "always" | "long" | "never";

/** The kind of a whole whose parts have these kinds. */
export function kindOf(kinds: readonly MergeKind[]): MergeKind {
  const found = new Set(kinds.filter((kind) => kind !== "same"));
  if (found.has("conflict")) return "conflict";
  if (found.size > 1) return "both";
  return [...found][0] ?? "same";
}

/**
 * Merges one value as a whole: equal changes and changes of one side decide themselves; texts go by line; anything else
 * that both changed is a conflict.
 */
export function mergeLeaf(three: Three, place: LeafPlace, byLine: ByLine): Leaf {
  const { base, theirs, mine } = three;
  const leaf = { id: idText(place.id), path: place.path, ...three, chunks: null, lineBreak: "\n" } as const;
  if (sameJson(mine, theirs)) {
    return { ...leaf, kind: sameJson(mine, base) ? "same" : "both", merged: mine };
  }
  if (sameJson(mine, base)) return { ...leaf, kind: "theirs", merged: theirs };
  if (sameJson(theirs, base)) return { ...leaf, kind: "mine", merged: mine };
  const lines = byLine === "always" || (byLine === "long" && Object.values(three).some(hasLines));
  if (lines && isText(base) && isText(theirs) && isText(mine)) {
    return mergeTexts(leaf, base, theirs, mine, place);
  }
  return { ...leaf, kind: "conflict", merged: mine };
}

/**
 * Merges a value key by key where it is an object on both sides, else as a whole. Keys in the order of the base, then the
 * new ones by name, so that both sides get the same list.
 * @param sets the keys of lists that are sets: two people may each put in or take out something else
 */
export function mergeTree(three: Three, place: LeafPlace, sets: readonly string[] = []): Leaf[] {
  const { base, theirs, mine } = three;
  const before = base === undefined ? {} : base;
  const settled = sameJson(mine, theirs) || sameJson(mine, base) || sameJson(theirs, base);
  if (settled || !isObject(before) || !isObject(theirs) || !isObject(mine)) {
    const leaf = mergeLeaf(three, place, "long");
    return [sets.includes(place.path.at(-1) ?? "") ? mergeSet(leaf) : leaf];
  }
  return allKeys(before, theirs, mine).flatMap((key) =>
    mergeTree(
      { base: own(before, key), theirs: own(theirs, key), mine: own(mine, key) },
      { id: [...place.id, key], path: [...place.path, key] },
      sets,
    ),
  );
}

function mergeSet(leaf: Leaf): Leaf {
  const { kind, base, mine, theirs } = leaf;
  if (kind !== "conflict" || !isTexts(base) || !isTexts(mine) || !isTexts(theirs)) return leaf;
  const stays = (id: string) => (base.includes(id) ? mine.includes(id) && theirs.includes(id) : true);
  return { ...leaf, kind: "both", merged: [...new Set([...mine, ...theirs])].filter(stays) };
}

/** Whether it is a list of texts, as lists that people write line by line are. */
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** Puts the values of leaves together again: what `mergeTree` took apart. `undefined`: nothing is left. */
export function grow(
  leaves: readonly { readonly path: readonly string[]; readonly value: unknown }[],
): unknown {
  const whole = leaves.find(({ path }) => path.length === 0);
  if (whole !== undefined) return whole.value;
  const branches = new Map<string, { path: readonly string[]; value: unknown }[]>();
  for (const { path, value } of leaves) {
    const key = path[0] ?? "";
    const branch = branches.get(key) ?? [];
    branch.push({ path: path.slice(1), value });
    branches.set(key, branch);
  }
  const entries = [...branches].map(([key, branch]) => [key, grow(branch)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The id of a place as text: unique over a record, and the same whichever side asks. */
export function idText(id: readonly string[]): string {
  return JSON.stringify(id);
}

type Text = string | null;

function isText(value: unknown): value is Text {
  return typeof value === "string" || value === null;
}

function hasLines(value: unknown): boolean {
  return typeof value === "string" && value.includes("\n");
}

function mergeTexts(
  leaf: Omit<Leaf, "kind" | "merged" | "chunks">,
  base: Text,
  theirs: Text,
  mine: Text,
  place: LeafPlace,
): Leaf {
  const { chunks, lineBreak } = mergeText(base, theirs, mine, (index) =>
    idText([...place.id, `line ${index}`]),
  );
  const lines = chunks.flatMap((chunk) => (chunk.kind === "conflict" ? chunk.mine : chunk.lines));
  const kind = kindOf(chunks.map((chunk) => chunk.kind));
  return { ...leaf, kind, merged: joinLines(lines, lineBreak), chunks, lineBreak };
}

function allKeys(base: JsonObject, theirs: JsonObject, mine: JsonObject): string[] {
  const first = presentKeys(base);
  const known = new Set(first);
  const added = [...presentKeys(theirs), ...presentKeys(mine)].filter((key) => !known.has(key));
  return [...first, ...[...new Set(added)].sort()];
}
