import type { Call } from "../../../../contract/define.ts";
import type { previewRunAgain } from "../../../../contract/run-again.ts";
import { readJson, readJsonObject } from "../../../lib/code-editor/read-json.ts";
import type { DraftKind } from "../../../lib/drafts/draft.ts";
import { isObject, sameJson } from "../../../lib/json/json-value.ts";
import type { AgainSearch } from "../search.ts";

/** What is asked for, as it is sent. */
export type AgainBody = NonNullable<Call<typeof previewRunAgain>["body"]>;

/** What is typed for one run and not started yet: only what differs. */
export interface AgainDraft {
  /** Inputs by name. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Outputs as JSON text, by the step and item (`outputKey`) that they are of. */
  readonly outputs: Readonly<Record<string, string>>;
}

export const nothingTyped: AgainDraft = { inputs: {}, outputs: {} };

export const againDrafts: DraftKind<AgainDraft> = {
  read: (kept) =>
    isObject(kept) && isObject(kept.inputs) && isObject(kept.outputs)
      ? { inputs: textsOf(kept.inputs), outputs: textsOf(kept.outputs) }
      : null,
  join: (kept, typed) => ({
    inputs: { ...kept.inputs, ...typed.inputs },
    outputs: { ...kept.outputs, ...typed.outputs },
  }),
};

function textsOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The place of an output in the draft. */
export const outputKey = (node: string, item: number | undefined): string =>
  item === undefined ? node : `${node} ${item}`;

/** An input of the other run as a field shows it: what is no text as JSON, nothing as an empty field. */
export function fieldText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * What a field means: where the other run had a number, a list or an object, what is typed is read as JSON if it is some.
 * @param before what the other run had; undefined: nothing
 */
function typedValue(text: string, before: unknown): unknown {
  if (before === undefined || typeof before === "string") return text;
  const read = readJson(text);
  return read.ok ? read.value : text;
}

/** The inputs that differ from those of the other run, as they are sent. */
export function changedInputs(
  typed: AgainDraft["inputs"],
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const all = Object.entries(typed).map(([name, text]) => {
    const before = Object.hasOwn(given, name) ? given[name] : undefined;
    return { name, before, value: typedValue(text, before) };
  });
  return Object.fromEntries(
    all.flatMap(({ name, before, value }) =>
      sameJson(value, before) || (before === undefined && value === "") ? [] : [[name, value]],
    ),
  );
}

/** What is asked for; or why what was typed cannot be sent. */
export type AgainAsk =
  | { readonly ok: true; readonly body: AgainBody }
  | { readonly ok: false; readonly problem: string };

/**
 * The request that the address and the draft stand for.
 * @param given the inputs of the other run
 */
export function askOf(
  { node, item, flow }: AgainSearch,
  { inputs, outputs }: AgainDraft,
  given: Readonly<Record<string, unknown>>,
): AgainAsk {
  const changed = changedInputs(inputs, given);
  const text = node === undefined ? undefined : outputs[outputKey(node, item)];
  const read = text === undefined ? null : readJsonObject(text);
  if (read && !read.ok) {
    const { what, line, column } = read.problem;
    return { ok: false, problem: `Line ${line}, column ${column}: ${what}` };
  }
  return {
    ok: true,
    body: {
      ...(node !== undefined && { from: { node, ...(item !== undefined && { item }) } }),
      ...(flow !== undefined && { flow }),
      ...(Object.keys(changed).length > 0 && { inputs: changed }),
      ...(read && isObject(read.value) && { output: read.value }),
    },
  };
}
