import X from "lucide-react/icons/x";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { IconButton } from "./IconButton.tsx";
import { useFocusReturn } from "./useFocusReturn.ts";

type Props = {
  isOpen: boolean;
  /** False while closing would lose something: then the close button and Escape are taken away, the footer decides. */
  canClose?: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: ReactNode;
  /** What it is about, in one or two sentences; read aloud when it opens. */
  description?: ReactNode;
  /** Buttons at the foot, the one that acts last. */
  footer?: ReactNode;
  /** Quiet words at the left of the footer. */
  footerNote?: ReactNode;
  /** Narrower than the 620 px of a form: for a question. */
  isNarrow?: boolean;
  children?: ReactNode;
};

/** For confirming, sharing and short forms. On phones it is a sheet from the foot. Focus goes in and comes back. */
export function Dialog({
  isOpen,
  canClose = true,
  onOpenChange,
  title,
  description,
  footer,
  footerNote,
  isNarrow = false,
  children,
}: Props) {
  const focusReturn = useFocusReturn();
  const hold = (event: Event) => {
    if (!canClose) event.preventDefault();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-dialog bg-scrim" />
        <Radix.Content
          {...focusReturn}
          className={cx(placeClass, isNarrow ? "sm:w-[520px]" : "sm:w-dialog")}
          onEscapeKeyDown={hold}
          onPointerDownOutside={hold}
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

const placeClass =
  "fade-in fixed inset-x-0 bottom-0 z-dialog mx-auto flex max-h-[calc(100dvh-44px)] flex-col rounded-t-[14px] bg-surface-raised shadow-dialog outline-none sm:top-dialog-top sm:bottom-auto sm:max-h-[calc(100dvh-88px)] sm:max-w-[calc(100vw-32px)] sm:rounded-dialog";
