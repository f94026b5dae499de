import type { AgentChange } from "../../../../contract/agents.ts";
import { isObject, own, presentKeys, sameJson } from "../../../lib/json/json-value.ts";
import { identify } from "./tool-identity.ts";

/**
 * One difference between what was sent and what came back. `dropped`: the service kept nothing of it (§4.14 drops
 * unknown metadata keys); `changed`: it kept another value; `added`: it put in a value that was not sent.
 */
export interface Difference {
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
