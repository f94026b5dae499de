import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { NotDone } from "../../lib/failure/Failure.tsx";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { useToast } from "../../ui/Toast.tsx";

type Props<A, V> = Pick<
  ComponentProps<typeof ConfirmDialog>,
  "title" | "consequence" | "action" | "onClose"
> & {
  mutation: UseMutationOptions<A, Error, V>;
  /** What it is given. */
  variables: V;
  /** What is said where it was done; without it the page shows enough. */
  doneTitle?: (answer: A) => string;
  /** What is said where it was refused. */
  failedTitle: string;
};

/** Asks before something is taken away, and takes it away. A refusal stands in the dialog, which stays until the answer. */
export function ConfirmAction<A, V>(props: Props<A, V>) {
  const { mutation, variables, doneTitle, failedTitle, ...dialog } = props;
  const toaster = useToast();
  const { mutate, isPending, error } = useMutation(mutation);
  const confirm = () =>
    mutate(variables, {
      onSuccess: (answer) => {
        if (doneTitle) toaster.show({ tone: "stopped", title: doneTitle(answer) });
        dialog.onClose();
      },
    });
  return (
    <ConfirmDialog
      {...dialog}
      onClose={() => !isPending && dialog.onClose()}
      isPending={isPending}
      onConfirm={confirm}
      error={error !== null && <NotDone error={error} title={failedTitle} />}
    />
  );
}
