import { useState } from "react";
import type { EvaluationToMake, RubricIn } from "../../api/queries/evaluations.ts";
import type { RubricChange } from "../../api/queries/rubrics.ts";
import { useApi } from "../../components/api-context.tsx";
import { changeOf, draftOf, type RubricDraft } from "../../components/evaluation/form/rubric-draft.ts";
import { useKept } from "../../components/useKept.ts";
import type { Join } from "../../history/drafts.ts";

/** A saved rubric as it is edited. */
export interface NamedDraft extends RubricDraft {
  readonly name: string;
  readonly description: string;
  /** Whose it becomes, only while it is made; "" for the person's own. */
  readonly teamId: string;
}

/** What was read when the editing began, and when that had been changed last. */
interface Edited {
  readonly base: NamedDraft;
  readonly draft: NamedDraft;
  readonly updatedAt: string | null;
}

const nothing: NamedDraft = { ...draftOf({ enabled: true }), name: "", description: "", teamId: "" };

export const namedDraftOf = (rubric: RubricIn): NamedDraft => ({
  ...draftOf({ ...rubric.config, enabled: rubric.enabled }),
  name: rubric.name ?? "",
  description: rubric.description ?? "",
  teamId: rubric.team_id ?? "",
});

const beginning = (rubric: RubricIn | null): Edited => {
  const base = rubric === null ? nothing : namedDraftOf(rubric);
  return { base, draft: base, updatedAt: rubric?.updated_at ?? null };
};

/** Exactly what a save sends; empty where nothing differs. Whether it runs is switched, not saved. */
export function rubricChangeOf(base: NamedDraft, mine: NamedDraft): RubricChange {
  const { enabled: _, ...config } = changeOf(base, mine);
  const description = mine.description.trim();
  return {
    ...(mine.name.trim() !== base.name && { name: mine.name.trim() }),
    ...(description !== base.description && { description: description === "" ? null : description }),
    ...(Object.keys(config).length > 0 && { config }),
  };
}

/** What making it sends. */
export function rubricToMake(draft: NamedDraft): EvaluationToMake {
  const { enabled: _, ...config } = changeOf(nothing, draft);
  const description = draft.description.trim();
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    config,
    ...(description !== "" && { description }),
    ...(draft.teamId !== "" && { team_id: draft.teamId }),
  };
}

/**
 * What a person makes of a rubric; kept in this browser until it is saved or discarded.
 * @param rubric as the service has it now; null: one that is being made
 */
export function useRubricDraft(rubric: RubricIn | null) {
  const { drafts } = useApi();
  const place = `rubric ${rubric?.id ?? ""}`;
  const [edited, setEdited] = useState(() => beginning(rubric));
  const isChanged = JSON.stringify(edited.base) !== JSON.stringify(edited.draft);
  useKept(place, (kept) => {
    if (isEdited(kept)) setEdited(kept);
  });
  // What nobody touches follows the service.
  if (!isChanged && rubric !== null && (rubric.updated_at ?? null) !== edited.updatedAt) {
    setEdited(beginning(rubric));
  }
  const show = (next: Edited) => {
    setEdited(next);
    if (JSON.stringify(next.base) === JSON.stringify(next.draft)) void drafts.remove(place);
    else void drafts.set(place, next, joinEdited);
  };
  return {
    ...edited,
    isChanged,
    set: (draft: NamedDraft) => show({ ...edited, draft }),
    /** Begins anew with what the service has. */
    begin: (from: RubricIn | null) => show(beginning(from)),
    /** Keeps what was changed, over what somebody else made of the rest meanwhile. */
    rebase: (from: RubricIn) => {
      const theirs = namedDraftOf(from);
      show({ base: theirs, draft: { ...theirs, ...mineOf(edited) }, updatedAt: from.updated_at ?? null });
    },
  };
}

/** The fields that a person changed. */
function mineOf({ base, draft }: Edited): Partial<NamedDraft> {
  return Object.fromEntries(
    Object.entries(draft).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name as keyof NamedDraft]),
    ),
  );
}

/** What was kept, with what was typed before that was known over it, field by field. */
const joinEdited: Join = (kept, typed) =>
  isEdited(kept) && isEdited(typed) ? { ...kept, draft: { ...kept.draft, ...mineOf(typed) } } : typed;

function isEdited(kept: unknown): kept is Edited {
  if (typeof kept !== "object" || kept === null) return false;
  const { base, draft } = kept as Partial<Record<keyof Edited, unknown>>;
  return [base, draft].every(isDraft);
}

/** An older version may have kept something of another shape. */
function isDraft(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(nothing).every(([name, known]) => {
    const found = (value as Record<string, unknown>)[name];
    return typeof found === typeof known && Array.isArray(found) === Array.isArray(known);
  });
}
