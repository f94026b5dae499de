import type { AgentChange } from "../../../../contract/agents.ts";
import { isObject, type JsonObject, own, presentKeys, sameJson } from "../../../lib/json/json-value.ts";
import { type AgentDraft, draftFields, type FieldPath } from "./agent-draft.ts";
import { identify } from "./tools.ts";

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

/**
 * One difference between what was sent and what came back. `dropped`: the service kept nothing of it (§4.14 drops
 * unknown metadata keys); `changed`: it kept another value; `added`: it put in a value that was not sent.
 */
interface Difference {
  readonly kind: "dropped" | "changed" | "added";
  /** `metadata.preferences.colour`, `tools[server srv_1].approval_mode`. */
  readonly path: string;
  readonly sent: unknown;
  readonly got: unknown;
}

/**
 * Compares the body of a PATCH with the agent that came back (§4.14). Only what was sent is looked at: another person's
 * change of another field is no difference. Null and absent say the same. Never throws.
 * @param answered the `agent` of the answer, as it came
 */
export function compareAnswer(sent: AgentChange, answered: unknown): Difference[] {
  const agent = isObject(answered) ? answered : {};
  const { version: _, tools, resources, metadata, ...plain } = sent;
  const differences = Object.entries(plain).flatMap(([field, value]) =>
    compareValue(field, value, own(agent, field)),
  );
  if (metadata != null) differences.push(...compareMerged("metadata", metadata, own(agent, "metadata")));
  if (tools !== undefined) differences.push(...compareList("tools", tools ?? [], own(agent, "tools")));
  if (resources !== undefined) {
    differences.push(...compareList("resources", resources ?? [], own(agent, "resources")));
  }
  return differences;
}

/** The paths of what the service dropped, for one sentence. */
export function droppedKeys(differences: readonly Difference[]): string[] {
  return differences.filter(({ kind }) => kind === "dropped").map(({ path }) => path);
}

function compareValue(path: string, sent: unknown, got: unknown): Difference[] {
  if (sameJson(sent ?? null, got ?? null) || (isEmpty(sent) && isEmpty(got))) return [];
  return [{ kind: got == null ? "dropped" : "changed", path, sent, got }];
}

function isEmpty(value: unknown): boolean {
  return value == null || value === "";
}

/** Objects merge: only keys that were sent count. */
function compareMerged(path: string, sent: unknown, got: unknown): Difference[] {
  if (!isObject(sent) || !isObject(got)) return compareValue(path, sent, got);
  return presentKeys(sent).flatMap((key) => compareMerged(`${path}.${key}`, sent[key], own(got, key)));
}

/** Lists replace: a key that was not sent is one that the service put in. */
function compareList(path: string, sent: readonly unknown[], got: unknown): Difference[] {
  if (!Array.isArray(got)) return compareValue(path, sent, got);
  const kept = new Map(identify(got).map(({ identity, item }) => [identity, item]));
  const differences: Difference[] = [];
  for (const { identity, item } of identify(sent)) {
    differences.push(...compareItem(`${path}[${identity}]`, item, kept.get(identity)));
    kept.delete(identity);
  }
  for (const [identity, item] of kept) {
    differences.push({ kind: "added", path: `${path}[${identity}]`, sent: undefined, got: item });
  }
  return differences;
}

function compareItem(path: string, sent: unknown, got: unknown): Difference[] {
  if (!isObject(sent) || !isObject(got)) return compareValue(path, sent, got);
  const added = presentKeys(got).filter((key) => own(sent, key) === undefined && got[key] !== null);
  return [
    ...presentKeys(sent).flatMap((key) => compareValue(`${path}.${key}`, sent[key], own(got, key))),
    ...added.map(
      (key): Difference => ({ kind: "added", path: `${path}.${key}`, sent: undefined, got: got[key] }),
    ),
  ];
}
