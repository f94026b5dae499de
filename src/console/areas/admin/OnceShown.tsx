import type { ReactNode } from "react";
import { rowOf } from "../../lib/list/useListKeys.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Dialog } from "../../ui/Dialog.tsx";

type Props = {
  title: ReactNode;
  /** What it is for, and how long. */
  description: ReactNode;
  secret: string;
  /** "sign-in link", "API key". */
  what: string;
  /** The row of what it was made for, which gets the focus as the dialog closes. */
  rowId?: string | undefined;
  onClose: () => void;
  children?: ReactNode;
};

/** A secret that is in no other answer: shown whole until the dialog is closed, and only by a button that says so. */
export function OnceShown({ title, description, secret, what, rowId, onClose, children }: Props) {
  return (
    <Dialog
      isNarrow
      canClose={false}
      onClose={onClose}
      returnTo={() => rowOf(rowId ?? "")?.querySelector<HTMLElement>("a, button")}
      title={title}
      description={description}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
      footerNote={`The ${what} is shown only now.`}
    >
      <div className="flex items-start gap-2 rounded-control border border-line-strong bg-surface-sunken py-1.5 pr-1.5 pl-3">
        <code data-secret="" className="min-w-0 flex-1 select-all break-all py-0.5 text-mono">
          {secret}
        </code>
        <CopyButton text={secret} what={what} look="plain" />
      </div>
      {children}
    </Dialog>
  );
}
