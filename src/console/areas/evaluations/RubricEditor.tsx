import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FormProvider } from "react-hook-form";
import { isConflict } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { fieldsOf, ReadOnly, SaveBar } from "../../lib/form/FormField.tsx";
import { showRefusal } from "../../lib/form/useForm.ts";
import { type Begun, useKeptForm } from "../../lib/form/useKeptForm.ts";
import { useMissingRight, useTeamsWith } from "../../lib/rights/rights.ts";
import { NativeSelect } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useSignedIn } from "../session/index.ts";
import { ChangedMeanwhile } from "./form/ChangedMeanwhile.tsx";
import { RubricForm } from "./form/RubricForm.tsx";
import {
  changeOf,
  draftOf,
  incompleteWords,
  type RubricDraft,
  rubricRules,
  savedToast,
} from "./form/rubric-draft.ts";
import { type EvaluationToMake, evaluationMutations, type RubricChange, type RubricIn } from "./queries.ts";

type Props = {
  /** Null: one that is made. */
  rubric: RubricIn | null;
  /** It can be read no more: said where nothing was typed. What was typed stays, and can become a new one. */
  gone?: ReactNode;
  onMade: (id: string) => void;
};

/** A saved rubric as a form: made, or changed without writing over what somebody else changed meanwhile. */
export function RubricEditor({ rubric, gone, onMade }: Props) {
  const api = useApi();
  const { teams, leftOut } = useTeamsWith(useSignedIn().teams, "edit");
  const isGone = Boolean(gone);
  const isNew = rubric === null || isGone;
  const missingRight = useMissingRight(rubric?.team_id, "edit");
  const missing = isGone ? undefined : missingRight;
  const toaster = useToast();
  const { form, base, draft, updatedAt, isChanged, begin, rebase } = useKeptForm(
    `rubric ${rubric?.id ?? ""}`,
    beginning(rubric),
    rubricRules,
  );
  const change = useMutation(evaluationMutations.change(api, rubric?.id ?? ""));
  const make = useMutation(evaluationMutations.create(api));
  const isBusy = change.isPending || make.isPending;
  // What is typed while it is saved would be lost with the answer.
  const isReadOnly = isBusy || missing !== undefined;
  const isMeanwhile = !isNew && isChanged && (rubric.updated_at ?? null) !== updatedAt;
  const why =
    missing ??
    (draft.name.trim() === "" ? "Enter a name first" : incompleteWords(form.formState.errors)) ??
    (!isNew && !isChanged ? "No changes yet" : isMeanwhile ? "Resolve the other change first" : undefined);
  const error = make.error ?? (change.error && !isGone && !isConflict(change.error) ? change.error : null);
  // The team of one that is gone may be another's by now.
  const teamId = teams.some(({ id }) => id === draft.teamId) ? draft.teamId : "";
  const onError = (refusal: unknown) => showRefusal(form, refusal);
  const save = () => {
    if (isNew) {
      make.mutate(rubricToMake({ ...draft, teamId }), {
        onError,
        onSuccess: ({ data }) => {
          begin(beginning(rubric));
          toaster.show({ tone: "done", title: `${draft.name.trim()} saved` });
          onMade(data.evaluation?.id ?? "");
        },
      });
      return;
    }
    change.mutate(
      { ...rubricChangeOf(base, draft), ...(updatedAt !== null && { updated_at: updatedAt }) },
      {
        onError,
        onSuccess: ({ data }) => {
          if (data.evaluation?.id) begin(beginning(data.evaluation as RubricIn));
          toaster.show(savedToast);
        },
      },
    );
  };
  if (isGone && !isChanged) return gone;
  return (
    <FormProvider {...form}>
      {isGone && (
        <Notice kind="waits" title="This rubric was deleted, or you no longer have access to it">
          What you typed is still here. Save it as a new rubric, or discard it.
        </Notice>
      )}
      {isMeanwhile && (
        <ChangedMeanwhile
          what="this rubric"
          onTheirs={() => begin(beginning(rubric))}
          onMine={() => rebase(beginning(rubric))}
        />
      )}
      <ReadOnly value={isReadOnly}>
        <div className="grid min-w-0 gap-x-5 gap-y-3 border-b px-edge-left py-4 sm:grid-cols-2">
          <Form.Field name="name" label="Name">
            {(field) => <Input {...field} maxLength={200} autoFocus={rubric === null} />}
          </Form.Field>
          <Form.Field name="description" label="Description">
            {(field) => <Input {...field} />}
          </Form.Field>
          {isNew && (
            <Form.Field name="teamId" label="Agents to evaluate" hint={leftOut}>
              {(field) => (
                <NativeSelect {...field} value={teamId}>
                  <option value="">Your own agents</option>
                  {teams.map(({ id, name }) => (
                    <option key={id} value={id}>
                      All agents of team {name}
                    </option>
                  ))}
                </NativeSelect>
              )}
            </Form.Field>
          )}
        </div>
      </ReadOnly>
      <RubricForm
        enables={isNew ? "Start evaluating as soon as it is saved" : null}
        emptyModel="each agent’s own model."
        isReadOnly={isReadOnly}
      />
      <SaveBar
        error={error}
        note="Draft saved in this browser."
        isChanged={isChanged}
        onDiscard={() => begin(beginning(rubric))}
        isSaving={isBusy}
        disabledReason={why}
        action={isGone ? "Save as new rubric" : isNew ? "Save rubric" : "Save"}
        onSave={save}
      />
    </FormProvider>
  );
}

/** A saved rubric as it is edited. */
type NamedDraft = RubricDraft & {
  name: string;
  description: string;
  /** Whose it becomes, only while it is made; "" for the person's own. */
  teamId: string;
};

const Form = fieldsOf<NamedDraft>();

const beginning = (rubric: RubricIn | null): Begun<NamedDraft> => ({
  base: {
    ...draftOf(rubric === null ? { enabled: true } : { ...rubric.config, enabled: rubric.enabled }),
    name: rubric?.name ?? "",
    description: rubric?.description ?? "",
    teamId: rubric?.team_id ?? "",
  },
  updatedAt: rubric?.updated_at ?? null,
});

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

/** What making it sends: rows with ids of their own, also where they had those of a rubric that is gone. */
function rubricToMake(draft: NamedDraft): EvaluationToMake {
  const asNew = <T extends { id: string | null }>(rows: T[]): T[] =>
    rows.map((row) => ({ ...row, id: null }));
  const { criteria, data_points } = draft;
  const { enabled: _, ...config } = changeOf(beginning(null).base, {
    ...draft,
    criteria: asNew(criteria),
    data_points: asNew(data_points),
  });
  const description = draft.description.trim();
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    config,
    ...(description !== "" && { description }),
    ...(draft.teamId !== "" && { team_id: draft.teamId }),
  };
}
