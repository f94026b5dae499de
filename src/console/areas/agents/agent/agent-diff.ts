import { isObject, type JsonObject, own, presentKeys, sameJson } from "../../../lib/json/json-value.ts";
import { type AgentDraft, draftFields, type FieldPath } from "./agent-draft.ts";
import { identify } from "./tool-identity.ts";

/** One value that differs. `undefined`: it is not there on that side. */
export interface ValueChange {
  /** From the field (of a tool: from the tool) to the value; empty for the whole. */
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

/** A tool or resource that differs. */
export interface ItemChange {
  readonly identity: string;
  readonly kind: "added" | "removed" | "changed";
  /** The item as the later side has it; the earlier one where it was removed. */
  readonly item: JsonObject;
  /** What differs in it; empty where it was added or removed. */
  readonly changes: readonly ValueChange[];
}

/** A field that differs between two versions of an agent; metadata by section. */
export type FieldDiff =
  | {
      readonly form: "text";
      readonly field: "description" | "system_prompt";
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly form: "value";
      readonly field: "name" | "model_name";
      readonly before: string | null;
      readonly after: string | null;
    }
  | {
      readonly form: "list";
      readonly field: "tools" | "resources";
      readonly items: readonly ItemChange[];
      /** How many items say the same on both sides. */
      readonly same: number;
      /** Items that both have stand in another order. */
      readonly isReordered: boolean;
    }
  | {
      readonly form: "section";
      readonly field: `metadata.${string}`;
      readonly section: string;
      readonly changes: readonly ValueChange[];
    };

/** What differs from one version of an agent to another, in the order of the fields; empty where nothing does. */
export function diffAgents(before: AgentDraft, after: AgentDraft): FieldDiff[] {
  return draftFields.flatMap((field): FieldDiff[] => {
    if (field === "metadata") return sections(before.metadata, after.metadata);
    if (field === "tools" || field === "resources") return list(field, before[field], after[field]);
    const [was, is] = [before[field], after[field]];
    if ((was ?? "") === (is ?? "")) return [];
    return field === "name" || field === "model_name"
      ? [{ form: "value", field, before: was, after: is }]
      : [{ form: "text", field, before: was ?? "", after: is ?? "" }];
  });
}

/** The fields of a diff, as `changedFields` names them. */
export function fieldsOf(diff: readonly FieldDiff[]): FieldPath[] {
  return diff.map(({ field }) => field);
}

/** What differs between two values, key by key as deep as both are objects. */
export function changesOf(before: unknown, after: unknown, path: readonly string[] = []): ValueChange[] {
  if (sameJson(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const keys = [...new Set([...presentKeys(before), ...presentKeys(after)])];
  return keys.flatMap((key) => changesOf(own(before, key), own(after, key), [...path, key]));
}

function sections(before: JsonObject, after: JsonObject): FieldDiff[] {
  const names = [...new Set([...presentKeys(before), ...presentKeys(after)])];
  return names.flatMap((section): FieldDiff[] => {
    const changes = changesOf(own(before, section), own(after, section));
    return changes.length === 0 ? [] : [{ form: "section", field: `metadata.${section}`, section, changes }];
  });
}

function list(
  field: "tools" | "resources",
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): FieldDiff[] {
  const was = new Map(identify(before).map(({ identity, item }) => [identity, item]));
  const is = new Map(identify(after).map(({ identity, item }) => [identity, item]));
  const items: ItemChange[] = [];
  let same = 0;
  for (const [identity, item] of is) {
    const old = was.get(identity);
    const changes = old === undefined ? [] : changesOf(old, item);
    if (old === undefined) items.push({ identity, kind: "added", item, changes });
    else if (changes.length > 0) items.push({ identity, kind: "changed", item, changes });
    else same += 1;
  }
  for (const [identity, item] of was) {
    if (!is.has(identity)) items.push({ identity, kind: "removed", item, changes: [] });
  }
  const shared = (from: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>) =>
    [...from.keys()].filter((identity) => other.has(identity));
  const isReordered = !sameJson(shared(was, is), shared(is, was));
  return items.length === 0 && !isReordered ? [] : [{ form: "list", field, items, same, isReordered }];
}
