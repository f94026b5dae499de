import { useState } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { Evaluation } from "../../../../contract/evaluations.ts";
import { useApi } from "../../../lib/api.tsx";
import { useKept } from "../../../lib/drafts/useDraft.ts";
import type { Join } from "../../../lib/history/drafts.ts";
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

/** Why it cannot be saved yet; undefined where it can. */
export function incompleteWords(problems: ReadonlyMap<string, string>): string | undefined {
  if (problems.size === 0) return undefined;
  return problems.size === 1 ? "one part is not complete" : `${problems.size} parts are not complete`;
}

/** What is said after a change was saved. */
export const savedToast = {
  tone: "done",
  title: "Saved",
  detail: "It holds from the next turn on; earlier results stay as they are.",
} as const;

/** What was read when the editing began, what was made of it, and when that had been changed last. */
export interface Edited<D extends object> {
  readonly base: D;
  readonly draft: D;
  readonly updatedAt: string | null;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Nothing is changed yet. */
export const unedited = <D extends object>(base: D, updatedAt: string | null | undefined): Edited<D> => ({
  base,
  draft: base,
  updatedAt: updatedAt ?? null,
});

/** The fields that a person changed. */
export function mineOf<D extends object>({ base, draft }: Edited<D>): Partial<D> {
  const changed = Object.entries(draft).filter(([name, value]) => !isSame(value, base[name as keyof D]));
  // Some of the draft's own fields.
  return Object.fromEntries(changed) as Partial<D>;
}

/**
 * What a person makes of something, field by field; kept in this browser until it is as it was, which a save makes it too.
 * @param place the name of the draft
 * @param fresh as the service has it now
 */
export function useEdited<D extends object>(place: string, fresh: Edited<D>) {
  const { drafts } = useApi();
  const [edited, setEdited] = useState(fresh);
  const isChanged = !isSame(edited.base, edited.draft);
  const isKept = (kept: unknown): kept is Edited<D> => isEdited(kept, fresh.base);
  useKept(place, (kept) => {
    if (isKept(kept)) setEdited(kept);
  });
  // What nobody touches follows the service.
  if (!isChanged && fresh.updatedAt !== edited.updatedAt) setEdited(fresh);
  /** What was kept, with what was typed before that was known over it. */
  const join: Join = (kept, typed) =>
    isKept(kept) && isKept(typed) ? { ...kept, draft: { ...kept.draft, ...mineOf(typed) } } : typed;
  const show = (next: Edited<D>) => {
    setEdited(next);
    if (isSame(next.base, next.draft)) void drafts.remove(place);
    else void drafts.set(place, next, join);
  };
  return { edited, isChanged, show };
}

/** @param like has the fields of both; an older version may have kept something of another shape */
function isEdited(kept: unknown, like: object): boolean {
  if (typeof kept !== "object" || kept === null) return false;
  const { base, draft } = kept as { base?: unknown; draft?: unknown };
  return [base, draft].every(
    (one) =>
      typeof one === "object" &&
      one !== null &&
      Object.entries(like).every(([name, known]) => {
        const found = (one as Record<string, unknown>)[name];
        return typeof found === typeof known && Array.isArray(found) === Array.isArray(known);
      }),
  );
}
