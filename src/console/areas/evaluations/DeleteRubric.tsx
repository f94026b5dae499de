import { useMutation } from "@tanstack/react-query";
import { describeError } from "../../api/describe-error.ts";
import { isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { useToast } from "../../ui/toastContext.ts";
import { evaluationMutations, type RubricIn } from "./queries.ts";
import { rubricName } from "./rubric-words.ts";

type Props = { rubric: RubricIn; onClose: () => void; onDeleted: () => void; canSwitchOff: boolean };

/** Asks before a saved rubric is deleted (§3.6, §4.13): its name has to be typed, as there is no way back. */
export function DeleteRubric({ rubric, onClose, onDeleted, canSwitchOff }: Props) {
  const toaster = useToast();
  const remove = useMutation(evaluationMutations.remove(useApi()));
  const name = rubricName(rubric);
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={<bdi>Delete {name}?</bdi>}
      consequence={`It stops running at once and disappears from this list; that cannot be undone. Results that it gave stay with their conversations and still count.${canSwitchOff && rubric.enabled ? " To only stop it, switch it off." : ""}`}
      action="Delete rubric"
      nameToType={name}
      isPending={remove.isPending}
      error={
        remove.error && (
          <p role="alert" className="text-state-failed-fg">
            {isNotFound(remove.error)
              ? "It is not there any more: somebody deleted it already."
              : describeError(remove.error).what}
          </p>
        )
      }
      onConfirm={() =>
        remove.mutate(rubric.id, {
          onSuccess: () => {
            toaster.show({ tone: "stopped", title: `${name} deleted`, detail: "Its results stay." });
            onDeleted();
          },
        })
      }
    />
  );
}
