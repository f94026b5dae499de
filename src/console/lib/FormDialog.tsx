import { type ReactNode, type RefObject, useRef } from "react";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { DiscardButtons, useDiscardQuestion } from "./DiscardQuestion.tsx";
import { NotDone } from "./failure/Failure.tsx";
import { rowOf } from "./list/useListKeys.ts";

type Props = {
  title: ReactNode;
  description?: string;
  /** What its one button says. */
  action: string;
  /** What is said where it was refused. */
  failedTitle: string;
  /** The refusal in words of its own, in place of the service's. */
  failure?: ReactNode;
  mutation: { readonly isPending: boolean; readonly error: unknown };
  /** Why it cannot be sent yet. */
  disabledReason: string | undefined;
  /** Something was typed that closing would lose: it asks first. */
  isDirty?: boolean;
  /** The id of what was made by it: its row in the list gets the focus in place of what opened the form. */
  made?: RefObject<string | undefined>;
  onClose: () => void;
  onSubmit: () => void;
  children: ReactNode;
};

/** A short form in a dialog: sent by its button or by Enter, once; a refusal stands under the fields, which keep what was typed. */
export function FormDialog(props: Props) {
  const { action, failedTitle, failure, mutation, disabledReason, isDirty = false } = props;
  const { onClose, onSubmit, made, children, ...dialog } = props;
  const question = useDiscardQuestion(isDirty, onClose);
  // A second press may come in the moment before the mutation is seen to be under way (C-38).
  const isTaken = useRef(false);
  const submit = () => {
    if (isTaken.current || mutation.isPending || disabledReason !== undefined) return;
    isTaken.current = true;
    question.keep();
    setTimeout(() => {
      isTaken.current = false;
    });
    onSubmit();
  };
  return (
    <Dialog
      isNarrow
      {...dialog}
      returnTo={() => rowOf(made?.current ?? "")?.querySelector("a")}
      // What comes of it is seen here alone: a refusal, or a secret that is shown once.
      canClose={!mutation.isPending}
      onClose={question.close}
      footerNote={
        question.isAsking && (
          <span role="alert" className="text-default">
            What you typed is not saved.
          </span>
        )
      }
      footer={
        question.isAsking ? (
          <DiscardButtons action="Discard" onKeep={question.keep} onDiscard={onClose} />
        ) : (
          <Button
            variant="primary"
            loading={mutation.isPending}
            reasonAs="title"
            disabledReason={disabledReason}
            onClick={submit}
          >
            {action}
          </Button>
        )
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {children}
        {mutation.error !== null && (
          <NotDone error={mutation.error} title={failedTitle}>
            {failure}
          </NotDone>
        )}
        {/* Without one, Enter sends a form of one field alone. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
