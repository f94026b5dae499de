import type { Received } from "../../../../contract/define.ts";
import type { Evaluation } from "../../../../contract/evaluations.ts";
import type { EvaluationConfigChange } from "../queries.ts";

/** What an agent's configuration and a saved rubric share, as the service answers it. */
export type RubricFieldsIn = Received<Evaluation["config"]> & {
  readonly enabled?: boolean | null | undefined;
};

export interface CriterionDraft {
  /** Null: the service makes one. */
  readonly id: string | null;
  readonly key: string;
  readonly name: string;
  readonly prompt: string;
  readonly type: string;
  readonly priority: string;
}

export interface TagDraft {
  readonly key: string;
  readonly name: string;
  readonly description: string;
}

export interface DataPointDraft {
  readonly id: string | null;
  readonly key: string;
  readonly name: string;
  readonly data_type: string;
  readonly description: string;
}

/** A configuration or a rubric as it is edited: nothing in it is missing. */
export interface RubricDraft {
  readonly enabled: boolean;
  readonly model_name: string;
  readonly frequency: string;
  readonly language: string;
  readonly include_auto_tags: boolean;
  readonly interaction_types: readonly string[];
  readonly criteria: readonly CriterionDraft[];
  readonly tags: readonly TagDraft[];
  readonly data_points: readonly DataPointDraft[];
  readonly sentiment: {
    readonly enabled: boolean;
    readonly affects_grade: boolean;
    readonly description: string;
  };
}

const present = <T>(list: readonly (T | null)[] | null | undefined): readonly T[] =>
  (list ?? []).filter((one): one is T => one !== null && typeof one === "object");

/** What the service answered, made whole. */
export function draftOf(config: RubricFieldsIn): RubricDraft {
  return {
    enabled: config.enabled ?? false,
    model_name: config.model_name ?? "",
    frequency: config.frequency ?? "debounced",
    language: config.language ?? "auto",
    include_auto_tags: config.include_auto_tags ?? false,
    interaction_types: (config.interaction_types ?? []).filter(
      (one): one is string => typeof one === "string",
    ),
    criteria: present(config.criteria).map((one, at) => ({
      id: one.id ?? null,
      key: `criterion ${at}`,
      name: one.name ?? "",
      prompt: one.prompt ?? "",
      type: one.type ?? "other",
      priority: one.priority ?? "needs_review",
    })),
    tags: present(config.tags).map((one, at) => ({
      key: `tag ${at}`,
      name: one.name ?? "",
      description: one.description ?? "",
    })),
    data_points: present(config.data_points).map((one, at) => ({
      id: one.id ?? null,
      key: `point ${at}`,
      name: one.name ?? "",
      data_type: one.data_type ?? "string",
      description: one.description ?? "",
    })),
    sentiment: {
      enabled: config.sentiment?.enabled ?? false,
      affects_grade: config.sentiment?.affects_grade ?? false,
      description: config.sentiment?.description ?? "",
    },
  };
}

/** Exactly what a save sends: only the fields that differ, lists as a whole. Empty where nothing does. */
export function changeOf(base: RubricDraft, mine: RubricDraft): EvaluationConfigChange {
  const bodies = [bodyOf(base), bodyOf(mine)] as const;
  return Object.fromEntries(
    Object.entries(bodies[1]).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(bodies[0][name as keyof EvaluationConfigChange]),
    ),
  );
}

function bodyOf(draft: RubricDraft): EvaluationConfigChange {
  const { criteria, tags, data_points, model_name, language, interaction_types, sentiment } = draft;
  const known = <T extends object>({ key: _, ...rest }: T & { key: string }) => rest;
  const withId = <T extends { id: string | null }>({ id, ...rest }: T) =>
    id === null ? rest : { id, ...rest };
  return {
    enabled: draft.enabled,
    model_name: model_name.trim() === "" ? null : model_name.trim(),
    frequency: draft.frequency as "debounced",
    language: language.trim() === "" ? "auto" : language.trim(),
    include_auto_tags: draft.include_auto_tags,
    interaction_types: [...interaction_types],
    criteria: criteria.map((one) => withId(known(one))) as NonNullable<EvaluationConfigChange["criteria"]>,
    tags: tags.map(known),
    data_points: data_points.map((one) => withId(known(one))) as NonNullable<
      EvaluationConfigChange["data_points"]
    >,
    sentiment: { ...sentiment },
  };
}

const tagForm = /^[A-Z0-9][A-Z0-9_]*$/;

/** What keeps it from being saved, by the key of the row, or the name of the field. */
export function problemsOf(draft: RubricDraft): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  for (const one of draft.criteria) {
    if (one.name.trim() === "") problems.set(one.key, "It needs a name.");
    else if (one.prompt.trim() === "") problems.set(one.key, "Say what it looks at.");
  }
  const names = new Set<string>();
  for (const one of draft.tags) {
    if (!tagForm.test(one.name)) problems.set(one.key, "A tag is upper case with underscores: LATE_NOTICE.");
    else if (names.has(one.name)) problems.set(one.key, "This tag is there twice.");
    names.add(one.name);
  }
  for (const one of draft.data_points) if (one.name.trim() === "") problems.set(one.key, "It needs a name.");
  return problems;
}
