import { firstInputs, type RunRow, runName, valueWord } from "../runs/index.ts";

import type { Field, SearchKind } from "./worker/search-messages.ts";

/** A run or a conversation to look through. Times are ISO 8601. */
export interface Target {
  readonly key: string;
  readonly kind: "run" | "conversation";
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the same name; may be empty. */
  readonly detail: string;
  readonly state: string | null;
  readonly at: string | null;
  /** Of a conversation; null where it is not known before it is read. */
  readonly agentId: string | null;
  /** What is known of it without reading it. */
  readonly fields: readonly Field[];
}

/** What of a kind of object can only be looked through after reading it. */
export const inside: Readonly<Record<Target["kind"], readonly SearchKind[]>> = {
  run: ["outputs", "log"],
  conversation: ["messages", "tools"],
};

/** A run with its inputs, and with why it failed. */
export function targetOfRun(run: RunRow): Target {
  const inputs = Object.entries(run.inputs).map(
    ([name, value]): Field => ({ kind: "inputs", at: name, label: name, text: valueWord(value) }),
  );
  const error: readonly Field[] =
    run.error === null ? [] : [{ kind: "outputs", at: "", label: "Error", text: run.error }];
  return {
    key: `run ${run.runId}`,
    kind: "run",
    id: run.runId,
    name: runName(run),
    detail: firstInputs(run.inputs),
    state: run.state,
    at: run.createdTs,
    agentId: null,
    fields: [...inputs, ...error],
  };
}

type Talk = Omit<Target, "key" | "kind" | "name" | "fields"> & { readonly name: string | null };

/** A conversation; nothing of it is known before it is read but its name. */
export const targetOfTalk = ({ id, name, ...rest }: Talk): Target => ({
  key: `conversation ${id}`,
  kind: "conversation",
  id,
  name: name ?? id,
  fields: [],
  ...rest,
});
