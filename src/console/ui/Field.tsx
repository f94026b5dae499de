import { type ReactNode, useId } from "react";
import { cx } from "./cx.ts";
import { FieldContext } from "./fieldContext.ts";

type Props = {
  label: ReactNode;
  /** Faint words at the right of the label: "optional", or whom the value is for. */
  aside?: ReactNode;
  hint?: ReactNode;
  /** What is wrong and how to write it; replaces the hint and is read aloud when it comes. */
  error?: ReactNode;
  required?: boolean;
  /** The label is a field name of the interface, so it is set in mono. */
  isName?: boolean;
  /** One control that reads the wiring: Input, Textarea, PasswordInput, NativeSelect. */
  children: ReactNode;
  className?: string;
};

/** A label over a control, with hint and error tied to it. */
export function Field({
  label,
  aside,
  hint,
  error,
  required = false,
  isName = false,
  children,
  className,
}: Props) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasError = error !== undefined && error !== null && error !== "" && error !== false;
  const note = hasError ? error : hint;
  const wiring = { id, describedBy: note ? noteId : undefined, isInvalid: hasError, isRequired: required };
  return (
    <div className={cx("flex min-w-0 flex-col", className)}>
      <div className="mb-1 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className={isName ? "text-mono font-medium" : "font-medium"}>
          {label}
        </label>
        {aside !== undefined && <span className="text-secondary text-faint">{aside}</span>}
      </div>
      <FieldContext value={wiring}>{children}</FieldContext>
      <div aria-live="polite">
        {note && (
          <p
            id={noteId}
            className={cx(
              "mt-1 break-words text-secondary",
              hasError ? "text-state-failed-fg" : "text-faint",
            )}
          >
            {note}
          </p>
        )}
      </div>
    </div>
  );
}
