import { changeOf, draftOf, type RubricDraft } from "./form/rubric-draft.ts";
import { type Edited, mineOf, unedited, useEdited } from "./form/useEdited.ts";
import type { EvaluationToMake, RubricIn } from "./queries.ts";
import type { RubricChange } from "./rubric-queries.ts";

/** A saved rubric as it is edited. */
export interface NamedDraft extends RubricDraft {
  readonly name: string;
  readonly description: string;
  /** Whose it becomes, only while it is made; "" for the person's own. */
  readonly teamId: string;
}

const nothing: NamedDraft = { ...draftOf({ enabled: true }), name: "", description: "", teamId: "" };

export const namedDraftOf = (rubric: RubricIn): NamedDraft => ({
  ...draftOf({ ...rubric.config, enabled: rubric.enabled }),
  name: rubric.name ?? "",
  description: rubric.description ?? "",
  teamId: rubric.team_id ?? "",
});

const beginning = (rubric: RubricIn | null): Edited<NamedDraft> =>
  unedited(rubric === null ? nothing : namedDraftOf(rubric), rubric?.updated_at);

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
  const { edited, isChanged, show } = useEdited(`rubric ${rubric?.id ?? ""}`, beginning(rubric));
  return {
    ...edited,
    isChanged,
    set: (draft: NamedDraft) => show({ ...edited, draft }),
    /** Begins anew with what the service has. */
    begin: (from: RubricIn | null) => show(beginning(from)),
    /** Keeps what was changed, over what somebody else made of the rest meanwhile. */
    rebase: (from: RubricIn) => {
      const begun = beginning(from);
      show({ ...begun, draft: { ...begun.base, ...mineOf(edited) } });
    },
  };
}
