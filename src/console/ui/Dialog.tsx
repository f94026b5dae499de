import X from "lucide-react/icons/x";
import * as Radix from "radix-ui/dialog";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "./Button.tsx";
import { cx } from "./cx.ts";
import { Field } from "./Field.tsx";
import { Input } from "./Input.tsx";

type Props = {
  /** A dialog that stays mounted says when it is there. */
  isOpen?: boolean;
  /** False while closing would lose something: then the close button and Escape are taken away, the footer decides. */
  canClose?: boolean;
  onClose?: () => void;
  title: ReactNode;
  /** What it is about, in one or two sentences; read aloud when it opens. */
  description?: ReactNode;
  /** Buttons at the foot, the one that acts last. */
  footer?: ReactNode;
  /** Quiet words at the left of the footer. */
  footerNote?: ReactNode;
  /** Narrower than the 620 px of a form: for a question. */
  isNarrow?: boolean;
  /** Where the focus goes as it closes, in place of what opened it: to what was made in it, once that is there. */
  returnTo?: (() => HTMLElement | null | undefined) | undefined;
  children?: ReactNode;
};

/** As long as systems wait for the second click of a double click. */
const doubleClickMs = 500;

/** For confirming, sharing and short forms. On phones it is a sheet from the foot. Focus goes in and comes back. */
export function Dialog({
  isOpen = true,
  canClose = true,
  onClose,
  title,
  description,
  footer,
  footerNote,
  isNarrow = false,
  returnTo,
  children,
}: Props) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn(returnTo);
  const openedAt = useRef(0);
  const hold = (event: Event) => {
    if (!canClose) event.preventDefault();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={(opens) => !opens && onClose?.()}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-dialog bg-scrim" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            openedAt.current = performance.now();
            onOpenAutoFocus();
            startAtWords(event);
          }}
          onCloseAutoFocus={onCloseAutoFocus}
          className={cx(placeClass, isNarrow ? "sm:w-[520px]" : "sm:w-dialog")}
          onEscapeKeyDown={hold}
          onPointerDownOutside={(event) => {
            hold(event);
            // The second click of a double click on what opened the dialog (C-38).
            if (event.detail.originalEvent.timeStamp - openedAt.current < doubleClickMs)
              event.preventDefault();
          }}
          onClick={(event) => event.stopPropagation()}
          {...(description === undefined && { "aria-describedby": undefined })}
        >
          <div
            className="mx-auto mt-2 h-1 w-9 shrink-0 rounded-full bg-line-strong sm:hidden"
            aria-hidden="true"
          />
          <header className="py-3 pr-14 pl-4 sm:pt-4 sm:pl-5">
            <Radix.Title className="text-heading">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description className="mt-0.5 text-muted">{description}</Radix.Description>
            )}
          </header>
          {/* The room above keeps the ring of what stands first from being cut off. */}
          <div className="-mt-1 min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-4 sm:px-5">{children}</div>
          {footer !== undefined && (
            <footer className="flex items-center gap-3 border-t px-4 py-3 sm:px-5">
              <div className="min-w-0 flex-1 text-muted text-secondary">{footerNote}</div>
              {footer}
            </footer>
          )}
          {/* Last, so that the focus first goes to what the dialog asks for. */}
          {canClose && (
            <span className="absolute top-3 right-3 sm:top-3.5">
              <Radix.Close asChild>
                <IconButton size="small" label="Close">
                  <X />
                </IconButton>
              </Radix.Close>
            </span>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * Gives the focus to the dialog itself where the first thing in it is a link, or the button that closes it: it is there
 * to be read. What would get the focus otherwise is somewhere further down.
 */
function startAtWords(event: Event) {
  const dialog = event.currentTarget;
  if (!(dialog instanceof HTMLElement)) return;
  const first = dialog.querySelector("a[href], button, input, select, textarea, [tabindex='0']");
  if (!first?.matches("a, [aria-label=Close]")) return;
  event.preventDefault();
  dialog.focus();
}

const placeClass =
  "fade-in fixed inset-x-0 bottom-0 z-dialog mx-auto flex max-h-[calc(100dvh-44px)] flex-col rounded-t-[14px] bg-surface-raised shadow-dialog outline-none sm:top-dialog-top sm:bottom-auto sm:max-h-[calc(100dvh-88px)] sm:max-w-[calc(100vw-32px)] sm:rounded-dialog";

type ConfirmDialogProps = {
  isOpen?: boolean;
  onClose: () => void;
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
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog
      isNarrow
      isOpen={props.isOpen ?? true}
      onClose={props.onClose}
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
  onClose,
  action,
  onConfirm,
  nameToType,
  isPending = false,
  disabledReason,
  error,
  children,
}: ConfirmDialogProps) {
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
        <Button variant="quiet" onClick={onClose}>
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

/** What opened each dialog that is open, the last one last: what takes the place of one was opened by the same. */
let openers: readonly { current: HTMLElement | null }[] = [];

/**
 * Gives the focus back to where it was before something opened over the page. Radix gives it back to its own trigger
 * only, and what pages open by state has none. From a menu's item it goes to the button of that menu; when the opener is
 * gone by then, to the page itself, so that it is never lost.
 */
export function useFocusReturn(returnTo?: Props["returnTo"]) {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      const active = document.activeElement;
      const menu = active?.closest("[role=menu]")?.getAttribute("aria-labelledby");
      const origin = menu ? document.getElementById(menu) : active;
      const isNowhere = !(origin instanceof HTMLElement) || origin === document.body;
      opener.current = isNowhere ? (openers.at(-1)?.current ?? null) : origin;
      openers = [...openers, opener];
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      openers = openers.filter((one) => one !== opener);
      const before = opener.current?.isConnected ? opener.current : document.getElementById("content");
      (returnTo?.() ?? before)?.focus();
    },
  };
}
