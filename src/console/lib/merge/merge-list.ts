import { isObject, type JsonObject, sameJson } from "../json/json-value.ts";
import { grow, idText, kindOf, type Leaf, type MergeKind, mergeTree, type Three } from "./merge-value.ts";

/** One item in a merge: the same one in all three versions, by its identity. */
export interface ListEntry {
  readonly identity: string;
  readonly kind: MergeKind;
  /** As each version has it; undefined: not there. */
  readonly base: JsonObject | undefined;
  readonly mine: JsonObject | undefined;
  readonly theirs: JsonObject | undefined;
  /** Its values, each with who changed it; path [] where it was added, removed or is a whole. */
  readonly leaves: readonly Leaf[];
}

/** A list of which the items were merged by identity. */
export interface MergedList {
  readonly kind: MergeKind;
  /** In the order of the result; those that the result does not have stand where they were. */
  readonly entries: readonly ListEntry[];
  /** The order of the items, by identity: a conflict only where both sides moved items differently. */
  readonly order: Leaf;
}

/** An item of a list with the text by which it is the same item in another version. */
export interface Identified<T> {
  readonly identity: string;
  readonly item: T;
}

/** Gives each item of a list its identity; no two have the same. */
export type Identify = (items: readonly JsonObject[]) => readonly Identified<JsonObject>[];

/** The items of a list by their identity. */
export function itemsOf(identify: Identify, list: unknown): ReadonlyMap<string, JsonObject> {
  const items = Array.isArray(list) ? list.filter((item): item is JsonObject => isObject(item)) : [];
  return new Map(identify(items).map(({ identity, item }) => [identity, item]));
}

/** Merges two changes of a list, item by item and value by value. */
export function mergeList(
  field: string,
  { base, theirs, mine }: Three,
  { identify, sets }: { readonly identify: Identify; readonly sets?: readonly string[] },
): MergedList {
  const [before, other, ours] = [itemsOf(identify, base), itemsOf(identify, theirs), itemsOf(identify, mine)];
  const order = mergeOrder(field, [...before.keys()], [...other.keys()], [...ours.keys()]);
  const all = arrange(arrange(orderOf(order.merged), [...ours.keys()]), [...before.keys()]);
  const entries = all.map((identity): ListEntry => {
    const three = { base: before.get(identity), theirs: other.get(identity), mine: ours.get(identity) };
    const leaves = mergeTree(three, { id: [field, identity], path: [] }, sets);
    return { identity, kind: kindOf(leaves.map(({ kind }) => kind)), ...three, leaves };
  });
  return { kind: kindOf([order.kind, ...entries.map(({ kind }) => kind)]), entries, order };
}

/**
 * The list that a merge makes.
 * @param pick the value of a leaf as it was chosen
 */
export function growList({ entries, order }: MergedList, pick: (leaf: Leaf) => unknown): JsonObject[] {
  const byIdentity = new Map(entries.map((entry) => [entry.identity, entry]));
  const identities = arrange(orderOf(pick(order)), [...byIdentity.keys()]);
  return identities
    .map((identity) => {
      const leaves = byIdentity.get(identity)?.leaves ?? [];
      return leaves.length === 0
        ? undefined
        : grow(leaves.map((leaf) => ({ path: leaf.path, value: pick(leaf) })));
    })
    .filter((item) => isObject(item));
}

/** Puts what only `others` has into `first`, each after the one that it followed. */
export function arrange(first: readonly string[], others: readonly string[]): string[] {
  const known = new Set(first);
  const after = new Map<string | null, string[]>();
  let last: string | null = null;
  for (const identity of others) {
    if (known.has(identity)) last = identity;
    else after.set(last, [...(after.get(last) ?? []), identity]);
  }
  return [null, ...first].flatMap((identity) => [
    ...(identity === null ? [] : [identity]),
    ...(after.get(identity) ?? []),
  ]);
}

type Ids = readonly string[];

function mergeOrder(field: string, base: Ids, theirs: Ids, mine: Ids): Leaf {
  const [mineMoved, theirsMoved] = [moved(base, mine), moved(base, theirs)];
  const apart = mineMoved && theirsMoved && moved(theirs, mine);
  const kind: MergeKind = apart
    ? "conflict"
    : mineMoved
      ? theirsMoved
        ? "both"
        : "mine"
      : theirsMoved
        ? "theirs"
        : "same";
  // A side that changed nothing at all leaves the other's order exactly as it is.
  const leading = mineMoved || sameJson(theirs, base) ? mine : theirs;
  const merged = arrange(leading, leading === mine ? theirs : mine);
  const id = idText([field, "order"]);
  return { id, path: [], kind, base, mine, theirs, merged, chunks: null, lineBreak: "\n" };
}

/** Whether items that both lists have stand in another order. */
export function moved(before: Ids, after: Ids): boolean {
  const [there, here] = [new Set(after), new Set(before)];
  return !sameJson(
    before.filter((identity) => there.has(identity)),
    after.filter((identity) => here.has(identity)),
  );
}

function orderOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
