import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Field } from "./Field.tsx";
import { Input } from "./Input.tsx";

type Props = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The question: "Retire Claims triage?" */
  title: ReactNode;
  /** What it does, what cannot be undone, and what would be milder. */
  consequence: ReactNode;
  /** More that has to be known or chosen, between the question and the name. */
  children?: ReactNode;
  /** Why the act cannot be done yet, beside the name. */
  disabledReason?: string | undefined;
  /** What the button does: "Retire agent", never "Confirm". */
  action: string;
  onConfirm: () => void;
  /** Irreversible: this name has to be typed first. */
  nameToType?: string;
  isPending?: boolean;
  /** The act failed: the error, in place. */
  error?: ReactNode;
};

/** Asks before an act that takes something away. */
export function ConfirmDialog(props: Props) {
  return (
    <Dialog
      isNarrow
      isOpen={props.isOpen}
      onOpenChange={props.onOpenChange}
      title={props.title}
      description={props.consequence}
    >
      {/* Mounted anew with each opening, so that a name typed before never counts. */}
      <ConfirmForm {...props} />
    </Dialog>
  );
}

/** A name as a person can read and type it: a row of spaces or a line's end is seen as one space. */
const asTyped = (text: string) => text.normalize("NFC").replaceAll(/\s+/g, " ").trim();

function ConfirmForm({
  onOpenChange,
  action,
  onConfirm,
  nameToType,
  isPending = false,
  disabledReason,
  error,
  children,
}: Props) {
  const [typed, setTyped] = useState("");
  const isReady = nameToType === undefined || asTyped(typed) === asTyped(nameToType);
  // Once per opening: a second click can come before the act is seen to be under way, or while the dialog fades (C-38).
  const isConfirmed = useRef(false);
  const hasFailed = Boolean(error);
  useEffect(() => {
    if (hasFailed) isConfirmed.current = false;
  }, [hasFailed]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed.current) return;
    isConfirmed.current = true;
    onConfirm(); // the button lets nothing through while it cannot act, also not by Enter in the field
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {children}
      {nameToType !== undefined && (
        <Field
          label={
            <>
              Type <span className="font-mono">{nameToType}</span>
            </>
          }
        >
          <Input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      )}
      {error}
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
        <Button
          variant="danger"
          type="submit"
          loading={isPending}
          disabledReason={disabledReason ?? (isReady ? undefined : `Type ${nameToType} first`)}
          reasonAs="title"
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
