import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { describeError } from "../../api/describe-error.ts";
import { isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { OpenById } from "../../lib/OpenById.tsx";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { evaluationMutations } from "./queries.ts";

/** Deletes an evaluation by its id, for a service that does not list them: the act that the interface itself has (§4.13). */
export function DeleteById() {
  const [asked, setAsked] = useState<string | null>(null);
  const [deleted, setDeleted] = useState(0);
  return (
    <div className="border-t px-edge-left py-2.5 text-muted text-secondary">
      <OpenById
        key={deleted}
        what="evaluation"
        action="Delete…"
        asks={{ why: "This service does not list evaluations.", words: "Delete by ID" }}
        onOpen={setAsked}
      />
      {asked !== null && (
        <DeleteEvaluation
          id={asked}
          name={null}
          noun="evaluation"
          isGone="Evaluation not found, or already deleted."
          onClose={() => setAsked(null)}
          onDeleted={() => {
            setAsked(null);
            setDeleted(deleted + 1);
          }}
        />
      )}
    </div>
  );
}

type Props = {
  id: string;
  /** Null: it is known by its id alone. */
  name: string | null;
  noun: "rubric" | "evaluation";
  /** What could be done instead, as one more sentence. */
  remark?: string;
  /** What is said where it is not there any more. */
  isGone: string;
  onClose: () => void;
  onDeleted: () => void;
};

/** Asks before an evaluation is deleted (§4.13): its name or its id has to be typed, as there is no way back. */
export function DeleteEvaluation({ id, name, noun, remark = "", isGone, onClose, onDeleted }: Props) {
  const toaster = useToast();
  const remove = useMutation(evaluationMutations.remove(useApi()));
  return (
    <ConfirmDialog
      onClose={() => !remove.isPending && onClose()}
      title={name === null ? `Delete this ${noun}?` : <bdi>Delete {name}?</bdi>}
      consequence={`It stops running immediately. This can’t be undone. Its results stay with their conversations and still count.${remark}`}
      action={`Delete ${noun}`}
      nameToType={name ?? id}
      isPending={remove.isPending}
      error={
        remove.error && (
          <p role="alert" className="text-state-failed-fg">
            {isNotFound(remove.error) ? isGone : describeError(remove.error).what}
          </p>
        )
      }
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => {
            const title = `${name ?? "Evaluation"} deleted`;
            toaster.show({ tone: "stopped", title, detail: "Its results stay." });
            onDeleted();
          },
        })
      }
    />
  );
}
