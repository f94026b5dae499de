import type { AgentChange } from "../../../../contract/agents.ts";
import { isObject, own } from "../../../lib/json/json-value.ts";
import { changesOf, diffRecords, type FieldDiff } from "../../../lib/merge/diff-record.ts";
import { itemsOf } from "../../../lib/merge/merge-list.ts";
import { type MergeResult, mergeRecords } from "../../../lib/merge/merge-record.ts";
import { type AgentDraft, agentFields, draftOf } from "./agent-draft.ts";
import { identify } from "./tools.ts";

/**
 * Merges two changes of one agent.
 * @param base what both began with (the version of the draft)
 * @param theirs what the service has now
 * @param mine the draft
 */
export const mergeAgents = (
  base: AgentDraft,
  theirs: AgentDraft,
  mine: AgentDraft,
): MergeResult<AgentDraft> => mergeRecords(agentFields, { base, theirs, mine }, draftOf);

/** What differs from one version of an agent to another, in the order of the fields; empty where nothing does. */
export const diffAgents = (before: AgentDraft, after: AgentDraft): FieldDiff[] =>
  diffRecords(agentFields, before, after);

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
 * change of another field is no difference. Objects merge, so that only their keys that were sent count; lists replace, so
 * that a key of theirs that was not sent is one that the service put in. Never throws.
 * @param answered the `agent` of the answer, as it came
 */
export function compareAnswer(sent: AgentChange, answered: unknown): Difference[] {
  const agent = isObject(answered) ? answered : {};
  const { version: _, ...fields } = sent;
  return Object.entries(fields).flatMap(([field, value]) => {
    const got = own(agent, field);
    if (field !== "tools" && field !== "resources")
      return differences(field, value, got).filter(({ kind }) => kind !== "added");
    if (!Array.isArray(got)) return differences(field, value ?? [], got);
    const [was, is] = [itemsOf(identify, value), itemsOf(identify, got)];
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((identity) =>
      differences(`${field}[${identity}]`, was.get(identity), is.get(identity)),
    );
  });
}

/** Null, an empty text and nothing say the same. */
function differences(place: string, sent: unknown, got: unknown): Difference[] {
  return changesOf(sent, got).flatMap(({ path, before, after }): Difference[] => {
    if ((before ?? "") === "" && (after ?? "") === "") return [];
    const kind = before === undefined ? "added" : after == null ? "dropped" : "changed";
    return [{ kind, path: [place, ...path].join("."), sent: before, got: after }];
  });
}

/** The paths of what the service dropped, for one sentence. */
export function droppedKeys(differences: readonly Difference[]): string[] {
  return differences.filter(({ kind }) => kind === "dropped").map(({ path }) => path);
}
