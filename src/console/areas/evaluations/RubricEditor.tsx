import { useMutation } from "@tanstack/react-query";
import { FormProvider } from "react-hook-form";
import { isConflict } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { fieldsOf, SaveBar } from "../../lib/form/FormField.tsx";
import { showRefusal } from "../../lib/form/useForm.ts";
import { type Begun, useKeptForm } from "../../lib/form/useKeptForm.ts";
import { useMissingRight, useTeamsWith } from "../../lib/rights/rights.ts";
import { NativeSelect } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
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
  onMade: (id: string) => void;
};

/** A saved rubric as a form: made, or changed without writing over what somebody else changed meanwhile. */
export function RubricEditor({ rubric, onMade }: Props) {
  const api = useApi();
  const { teams, leftOut } = useTeamsWith(useSignedIn().teams, "edit");
  const missing = useMissingRight(rubric?.team_id, "edit");
  const toaster = useToast();
  const { form, base, draft, updatedAt, isChanged, begin, rebase } = useKeptForm(
    `rubric ${rubric?.id ?? ""}`,
    beginning(rubric),
    rubricRules,
  );
  const change = useMutation(evaluationMutations.change(api, rubric?.id ?? ""));
  const make = useMutation(evaluationMutations.create(api));
  const isBusy = change.isPending || make.isPending;
  const isMeanwhile = rubric !== null && isChanged && (rubric.updated_at ?? null) !== updatedAt;
  const why =
    missing ??
    (draft.name.trim() === "" ? "Enter a name first" : incompleteWords(form.formState.errors)) ??
    (rubric !== null && !isChanged
      ? "No changes yet"
      : isMeanwhile
        ? "Resolve the other change first"
        : undefined);
  const error = make.error ?? (change.error && !isConflict(change.error) ? change.error : null);
  const onError = (refusal: unknown) => showRefusal(form, refusal);
  const save = () => {
    if (rubric === null) {
      make.mutate(rubricToMake(draft), {
        onError,
        onSuccess: ({ data }) => {
          begin(beginning(null));
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
  return (
    <FormProvider {...form}>
      {isMeanwhile && (
        <ChangedMeanwhile
          what="this rubric"
          onTheirs={() => begin(beginning(rubric))}
          onMine={() => rebase(beginning(rubric))}
        />
      )}
      <fieldset
        disabled={isBusy || missing !== undefined}
        className="grid min-w-0 gap-x-5 gap-y-3 border-b px-edge-left py-4 sm:grid-cols-2"
      >
        <Form.Field name="name" label="Name">
          {(field) => <Input {...field} maxLength={200} autoFocus={rubric === null} />}
        </Form.Field>
        <Form.Field name="description" label="Description">
          {(field) => <Input {...field} />}
        </Form.Field>
        {rubric === null && (
          <Form.Field name="teamId" label="Agents to evaluate" hint={leftOut}>
            {(field) => (
              <NativeSelect {...field}>
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
      </fieldset>
      <RubricForm
        enables={rubric === null ? "Start evaluating as soon as it is saved" : null}
        emptyModel="each agent’s own model."
        // What is typed while it is saved would be lost with the answer.
        isReadOnly={isBusy || missing !== undefined}
      />
      <SaveBar
        error={error}
        note="Draft saved in this browser."
        isChanged={isChanged}
        onDiscard={() => begin(beginning(rubric))}
        isSaving={isBusy}
        disabledReason={why}
        action={rubric === null ? "Save rubric" : "Save"}
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

/** What making it sends. */
function rubricToMake(draft: NamedDraft): EvaluationToMake {
  const { enabled: _, ...config } = changeOf(beginning(null).base, draft);
  const description = draft.description.trim();
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    config,
    ...(description !== "" && { description }),
    ...(draft.teamId !== "" && { team_id: draft.teamId }),
  };
}
