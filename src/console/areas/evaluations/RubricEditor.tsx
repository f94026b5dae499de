import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { isConflict } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { Button } from "../../ui/Button.tsx";
import { Field, NativeSelect } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useSignedIn } from "../session/index.ts";
import { SaveBar } from "./form/parts.tsx";
import { RubricForm } from "./form/RubricForm.tsx";
import {
  changeOf,
  draftOf,
  type Edited,
  incompleteWords,
  mineOf,
  problemsOf,
  type RubricDraft,
  savedToast,
  unedited,
  useEdited,
} from "./form/rubric-draft.ts";
import { type EvaluationToMake, evaluationMutations, type RubricChange, type RubricIn } from "./queries.ts";

type Props = {
  /** Null: one that is made. */
  rubric: RubricIn | null;
  onMade: (id: string) => void;
};

/** A saved rubric as a form: made, or changed without writing over what somebody else changed meanwhile. */
export function RubricEditor({ rubric, onMade }: Props) {
  const api = useApi();
  const { teams } = useSignedIn();
  const toaster = useToast();
  const { base, draft, updatedAt, isChanged, set, begin, rebase } = useRubricDraft(rubric);
  const change = useMutation(evaluationMutations.change(api, rubric?.id ?? ""));
  const make = useMutation(evaluationMutations.create(api));
  const [isAnswered, setAnswered] = useState(false);
  const isBusy = change.isPending || make.isPending;
  const isMeanwhile = rubric !== null && isChanged && (rubric.updated_at ?? null) !== updatedAt;
  const problems = problemsOf(draft);
  const why =
    (draft.name.trim() === "" ? "it needs a name" : incompleteWords(problems)) ??
    (rubric !== null && !isChanged
      ? "nothing is changed"
      : isMeanwhile
        ? "decide about the other change first"
        : undefined);
  const error = make.error ?? (change.error && !isConflict(change.error) ? change.error : null);
  const save = () => {
    if (rubric === null) {
      make.mutate(rubricToMake(draft), {
        onSuccess: ({ data }) => {
          begin(null);
          toaster.show({ tone: "done", title: `${draft.name.trim()} saved` });
          onMade(data.evaluation?.id ?? "");
        },
      });
      return;
    }
    change.mutate(
      { ...rubricChangeOf(base, draft), ...(updatedAt !== null && { updated_at: updatedAt }) },
      {
        onSuccess: ({ data }) => {
          if (data.evaluation?.id) begin(data.evaluation as RubricIn);
          toaster.show(savedToast);
        },
      },
    );
  };
  return (
    <>
      {isMeanwhile && (
        <Notice
          kind="waits"
          title="Somebody changed this rubric while you were editing"
          action={
            <span className="flex gap-2">
              <Button size="small" variant="quiet" onClick={() => begin(rubric)}>
                Take theirs
              </Button>
              <Button size="small" onClick={() => rebase(rubric)}>
                Keep mine
              </Button>
            </span>
          }
        >
          Keep mine takes their version with the parts that you changed as you have them; nothing is saved
          yet.
        </Notice>
      )}
      <fieldset
        disabled={isBusy}
        className="grid min-w-0 gap-x-5 gap-y-3 border-b px-edge-left py-4 sm:grid-cols-2"
      >
        <Field label="Name" error={isAnswered && draft.name.trim() === "" ? "It needs a name." : undefined}>
          <Input
            value={draft.name}
            maxLength={200}
            onBlur={() => setAnswered(true)}
            onChange={(event) => set({ ...draft, name: event.target.value })}
          />
        </Field>
        <Field label="Description">
          <Input
            value={draft.description}
            onChange={(event) => set({ ...draft, description: event.target.value })}
          />
        </Field>
        {rubric === null && (
          <Field label="Which agents it judges">
            <NativeSelect
              value={draft.teamId}
              onChange={(event) => set({ ...draft, teamId: event.target.value })}
            >
              <option value="">Your own agents</option>
              {(teams ?? []).map(({ id, name }) => (
                <option key={id} value={id}>
                  All agents of team {name}
                </option>
              ))}
            </NativeSelect>
          </Field>
        )}
      </fieldset>
      <RubricForm
        enables={rubric === null ? "Judge conversations as soon as it is saved" : null}
        emptyModel="each agent’s own model judges. Each evaluation asks it."
        draft={draft}
        onChange={(next) => set({ ...draft, ...next })}
        problems={problems}
        // What is typed while it is saved would be lost with the answer.
        isReadOnly={isBusy}
      />
      <SaveBar
        error={error}
        what="The rubric"
        note="Not saved yet; kept in this browser."
        isChanged={isChanged}
        onDiscard={() => begin(rubric)}
        isSaving={isBusy}
        disabledReason={why}
        action={rubric === null ? "Save rubric" : "Save"}
        onSave={save}
      />
    </>
  );
}

/** A saved rubric as it is edited. */
interface NamedDraft extends RubricDraft {
  readonly name: string;
  readonly description: string;
  /** Whose it becomes, only while it is made; "" for the person's own. */
  readonly teamId: string;
}

const nothing: NamedDraft = { ...draftOf({ enabled: true }), name: "", description: "", teamId: "" };

const namedDraftOf = (rubric: RubricIn): NamedDraft => ({
  ...draftOf({ ...rubric.config, enabled: rubric.enabled }),
  name: rubric.name ?? "",
  description: rubric.description ?? "",
  teamId: rubric.team_id ?? "",
});

const beginning = (rubric: RubricIn | null): Edited<NamedDraft> =>
  unedited(rubric === null ? nothing : namedDraftOf(rubric), rubric?.updated_at);

/** Exactly what a save sends; empty where nothing differs. Whether it runs is switched, not saved. */
function rubricChangeOf(base: NamedDraft, mine: NamedDraft): RubricChange {
  const { enabled: _, ...config } = changeOf(base, mine);
  const description = mine.description.trim();
  return {
    ...(mine.name.trim() !== base.name && { name: mine.name.trim() }),
    ...(description !== base.description && { description: description === "" ? null : description }),
    ...(Object.keys(config).length > 0 && { config }),
  };
}

/** What making it sends. */
function rubricToMake(draft: NamedDraft): EvaluationToMake {
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
function useRubricDraft(rubric: RubricIn | null) {
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
