import ChevronDown from "lucide-react/icons/chevron-down";
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { IconButton } from "./Button.tsx";
import { boxClass } from "./boxClass.ts";
import { cx } from "./cx.ts";
import { FieldContext, Input, useFieldWiring } from "./Input.tsx";

type Props = {
  label: ReactNode;
  /** Faint words at the right of the label: "optional", or whom the value is for. */
  aside?: ReactNode;
  hint?: ReactNode;
  /** What is wrong and how to write it; replaces the hint and is read aloud when it comes. */
  error?: ReactNode;
  required?: boolean;
  /** One control that reads the wiring: Input, Textarea, PasswordInput, NativeSelect. */
  children: ReactNode;
  className?: string;
};

/** A label over a control, with hint and error tied to it. */
export function Field({ label, aside, hint, error, required = false, children, className }: Props) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasError = error !== undefined && error !== null && error !== "" && error !== false;
  const note = hasError ? error : hint;
  const wiring = { id, describedBy: note ? noteId : undefined, isInvalid: hasError, isRequired: required };
  return (
    <div className={cx("flex min-w-0 flex-col", className)}>
      <div className="mb-1 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium">
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

// One that is `disabled` while it has the focus would lose it: `aria-disabled` keeps it as it is.
type NativeSelectProps = Omit<ComponentProps<"select">, "size" | "disabled" | "onMouseDown" | "onKeyDown"> & {
  /** `bare`: only words and a caret, for a role at the end of a row. */
  look?: "box" | "small" | "bare";
};

const looks = {
  box: cx(boxClass, "h-control pr-8 pl-[9px]"),
  small: cx(boxClass, "h-control-small pr-7 pl-2 text-secondary font-medium"),
  bare: "h-control-small rounded-control pr-6 pl-1 font-medium text-secondary hover:bg-surface-hover",
};

/** One of a list, by the browser's own select, which every phone and reader knows. */
export function NativeSelect({ look = "box", className, children, onChange, ...rest }: NativeSelectProps) {
  const isOff = Boolean(rest["aria-disabled"]);
  return (
    <div className={cx("relative", look !== "box" && "inline-flex", className)}>
      <select
        {...useFieldWiring()}
        {...rest}
        onChange={(event) => !isOff && onChange?.(event)}
        // Nor does its list open.
        onMouseDown={(event) => isOff && event.preventDefault()}
        onKeyDown={(event) => isOff && event.key !== "Tab" && event.preventDefault()}
        className={cx("appearance-none text-ellipsis aria-disabled:text-muted", looks[look])}
      >
        {children}
      </select>
      <ChevronDown
        className={cx(
          "pointer-events-none absolute top-1/2 -translate-y-1/2 text-muted",
          look === "box" ? "right-[9px]" : "right-1.5",
        )}
      />
    </div>
  );
}

/** Several lines of text; grows with what is typed, up to a third of the window. */
export function Textarea({
  isMono = false,
  className,
  rows = 3,
  ...rest
}: ComponentProps<"textarea"> & { isMono?: boolean }) {
  return (
    <textarea
      {...useFieldWiring()}
      {...rest}
      rows={rows}
      className={cx(
        boxClass,
        "area field-sizing-content max-h-[34vh] resize-y px-[9px] py-[5px]",
        isMono && "font-mono slashed-zero",
        className,
      )}
    />
  );
}

type PasswordInputProps = Omit<ComponentProps<typeof Input>, "type" | "isMono"> & {
  /** What is hidden, for the button's name: "Show key". */
  what?: string;
};

/** A secret: hidden until the person asks to see it, in mono, never corrected or completed by spelling aids. */
export function PasswordInput({ what = "key", className, ...rest }: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={cx("relative", className)}>
      <Input
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        {...rest}
        isMono
        type={isShown ? "text" : "password"}
        className="pr-9"
      />
      <span className="absolute inset-y-0 right-[3px] flex items-center">
        <IconButton
          size="small"
          label={isShown ? `Hide ${what}` : `Show ${what}`}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff /> : <Eye />}
        </IconButton>
      </span>
    </div>
  );
}
