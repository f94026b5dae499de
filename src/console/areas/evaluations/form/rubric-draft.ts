import * as z from "zod/mini";
import type { Received } from "../../../../contract/define.ts";
import type { Evaluation } from "../../../../contract/evaluations.ts";
import { name } from "../../../../contract/limits.ts";
import { rubricChange } from "../../../../contract/rubric.ts";
import { rulesOf } from "../../../lib/form/useForm.ts";
import type { EvaluationConfigChange } from "../queries.ts";

/** What an agent's configuration and a saved rubric share, as the service answers it. */
type RubricFieldsIn = Received<Evaluation["config"]> & { readonly enabled?: boolean | null | undefined };

/** A row of each list, as it begins. Without an id the service makes one. */
export const emptyRow = {
  criteria: {
    id: null as string | null,
    name: "",
    prompt: "",
    type: "other" as string,
    priority: "needs_review" as string,
  },
  tags: { name: "", description: "" },
  data_points: { id: null as string | null, name: "", data_type: "string" as string, description: "" },
};

const nothing = {
  enabled: false,
  model_name: "",
  frequency: "debounced" as string,
  language: "auto",
  include_auto_tags: false,
  interaction_types: [] as readonly string[],
  criteria: [] as (typeof emptyRow.criteria)[],
  tags: [] as (typeof emptyRow.tags)[],
  data_points: [] as (typeof emptyRow.data_points)[],
  sentiment: { enabled: false, affects_grade: false, description: "" },
};

/** A configuration or a rubric as it is edited: nothing in it is missing. */
export type RubricDraft = typeof nothing;

/** The fields of `like`, each as it was given, or as it is there. */
function whole<T extends object>(like: T, given: Readonly<Record<string, unknown>> | null | undefined): T {
  const fields = Object.entries(like).map(([name, otherwise]) => [name, given?.[name] ?? otherwise]);
  // The contract's reading has seen to it that what is there is of its kind.
  return Object.fromEntries(fields) as T;
}

const rowsOf = <T extends object>(like: T, rows: readonly (object | null)[] | null | undefined): T[] =>
  (rows ?? []).flatMap((row) => (row ? [whole(like, { ...row })] : []));

/** What the service answered, made whole. */
export function draftOf(config: RubricFieldsIn): RubricDraft {
  return {
    ...whole(nothing, config),
    interaction_types: (config.interaction_types ?? []).filter((one) => typeof one === "string"),
    criteria: rowsOf(emptyRow.criteria, config.criteria),
    tags: rowsOf(emptyRow.tags, config.tags),
    data_points: rowsOf(emptyRow.data_points, config.data_points),
    sentiment: whole(nothing.sentiment, config.sentiment),
  };
}

/** Exactly what a save sends: only the fields that differ, lists as a whole. Empty where nothing does. */
export function changeOf(base: RubricDraft, mine: RubricDraft): EvaluationConfigChange {
  const before = Object.entries(bodyOf(base)).map(([name, value]) => [name, JSON.stringify(value)]);
  const known = new Map(before as [string, string][]);
  return Object.fromEntries(
    Object.entries(bodyOf(mine)).filter(([name, value]) => known.get(name) !== JSON.stringify(value)),
  );
}

function bodyOf(draft: RubricDraft): Record<keyof RubricDraft, unknown> {
  const withId = ({ id, ...row }: { id: string | null }) => (id === null ? row : { id, ...row });
  return {
    ...whole(nothing, draft),
    model_name: draft.model_name.trim() || null,
    language: draft.language.trim() || "auto",
    criteria: rowsOf(emptyRow.criteria, draft.criteria).map(withId),
    tags: rowsOf(emptyRow.tags, draft.tags),
    data_points: rowsOf(emptyRow.data_points, draft.data_points).map(withId),
  };
}

const tagTwice = (tags: readonly { readonly name: string }[] | null | undefined) =>
  (tags ?? []).findIndex(({ name }, at) => tags?.findIndex((one) => one.name === name) !== at);

const fields = {
  ...rubricChange,
  tags: rubricChange.tags.check(({ value, issues }) => {
    const at = tagTwice(value);
    if (at > 0)
      issues.push({ code: "custom", input: value, path: [at, "name"], message: "This tag already exists." });
  }),
};

const words = {
  name: "Enter a name.",
  "criteria.name": "Enter a name.",
  "criteria.prompt": "Describe what to check.",
  "tags.name": "Use upper case with underscores: LATE_NOTICE.",
  "data_points.name": "Enter a name.",
};

/** What keeps an agent's configuration from being saved. */
export const configRules = rulesOf(z.object(fields), words);

/** The same of a saved rubric, which has a name. */
export const rubricRules = rulesOf(z.object({ ...fields, name }), words);

/** Why it cannot be saved yet; undefined where it can. */
export function incompleteWords(errors: object): string | undefined {
  const lists = Object.values(errors).map((error) =>
    Array.isArray(error) ? error.filter(Boolean).length : 1,
  );
  const count = lists.reduce((sum, some) => sum + some, 0);
  if (count === 0) return undefined;
  return count === 1 ? "1 part is incomplete" : `${count} parts are incomplete`;
}

/** What is said after a change was saved. */
export const savedToast = {
  tone: "done",
  title: "Saved",
  detail: "It applies from the next turn; earlier results do not change.",
} as const;
