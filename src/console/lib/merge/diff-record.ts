import { isObject, type JsonObject, own, presentKeys, sameJson } from "../json/json-value.ts";
import { type Identify, itemsOf, moved } from "./merge-list.ts";
import type { FieldRules } from "./merge-record.ts";

/** One value that differs. `undefined`: it is not there on that side. */
export interface ValueChange {
  /** From the field (of an item: from the item) to the value; empty for the whole. */
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

/** An item of a list that differs. */
export interface ItemChange {
  readonly identity: string;
  readonly kind: "added" | "removed" | "changed";
  /** The item as the later side has it; the earlier one where it was removed. */
  readonly item: JsonObject;
  /** What differs in it; empty where it was added or removed. */
  readonly changes: readonly ValueChange[];
}

/** A field that differs between two versions of a record; one key of a field with sections is `metadata.chat`. */
export type FieldDiff =
  | { readonly form: "text"; readonly field: string; readonly before: string; readonly after: string }
  | { readonly form: "value"; readonly field: string; readonly before: unknown; readonly after: unknown }
  | { readonly form: "section"; readonly field: string; readonly changes: readonly ValueChange[] }
  | {
      readonly form: "list";
      readonly field: string;
      readonly items: readonly ItemChange[];
      /** How many items say the same on both sides. */
      readonly same: number;
      /** Items that both have stand in another order. */
      readonly isReordered: boolean;
    };

/**
 * What differs from one version of a record to another, by the rules by which it is merged and in their order; empty where
 * nothing does. Null, an empty text and nothing say the same of a field.
 */
export function diffRecords(rules: FieldRules, before: object, after: object): FieldDiff[] {
  return Object.entries(rules).flatMap(([field, rule]): FieldDiff[] => {
    const [was, is] = [at(before, field), at(after, field)];
    if (sameJson(was ?? "", is ?? "")) return [];
    if (rule.form === "list") return diffLists(field, rule.identify, was, is);
    if (rule.form === "text")
      return [{ form: "text", field, before: String(was ?? ""), after: String(is ?? "") }];
    if (rule.form === "value") return [{ form: "value", field, before: was, after: is }];
    return keysOf(was, is).flatMap((key): FieldDiff[] => {
      const changes = changesOf(at(was, key), at(is, key));
      return changes.length === 0 ? [] : [{ form: "section", field: `${field}.${key}`, changes }];
    });
  });
}

/** What differs between two values, key by key as deep as both are objects. */
export function changesOf(before: unknown, after: unknown, path: readonly string[] = []): ValueChange[] {
  if (sameJson(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  return keysOf(before, after).flatMap((key) => changesOf(at(before, key), at(after, key), [...path, key]));
}

function diffLists(field: string, identify: Identify, before: unknown, after: unknown): FieldDiff[] {
  const [was, is] = [itemsOf(identify, before), itemsOf(identify, after)];
  const present = [...is].map(([identity, item]): ItemChange => {
    const old = was.get(identity);
    const changes = old === undefined ? [] : changesOf(old, item);
    return { identity, kind: old === undefined ? "added" : "changed", item, changes };
  });
  const removed = [...was].flatMap(([identity, item]): ItemChange[] =>
    is.has(identity) ? [] : [{ identity, kind: "removed", item, changes: [] }],
  );
  const touched = present.filter(({ kind, changes }) => kind === "added" || changes.length > 0);
  const items = [...touched, ...removed];
  const isReordered = moved([...was.keys()], [...is.keys()]);
  if (items.length === 0 && !isReordered) return [];
  return [{ form: "list", field, items, same: present.length - touched.length, isReordered }];
}

const at = (value: unknown, key: string): unknown => (isObject(value) ? own(value, key) : undefined);
const keysOf = (...values: readonly unknown[]): readonly string[] => [
  ...new Set(values.flatMap((value) => (isObject(value) ? presentKeys(value) : []))),
];
