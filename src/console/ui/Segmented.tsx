import { type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

type Props<Value extends string> = {
  /** What is chosen, for those who listen. */
  label: string;
  options: readonly { value: Value; label: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
  size?: "normal" | "small";
  /** Nothing can be chosen. What is chosen keeps the focus, which `disabled` would take away. */
  isOff?: boolean;
  /** As wide as its place, all parts equal. Always so on phones in dialogs. */
  isWide?: boolean;
  className?: string;
};

/** Two to four views that exclude each other. Arrow keys move between them. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
  size = "small",
  isOff = false,
  isWide = false,
  className,
}: Props<Value>) {
  const group = useId();
  return (
    <fieldset
      aria-label={label}
      {...(isOff && { "aria-disabled": true })}
      className={cx(
        "overflow-hidden rounded-control border border-line-strong bg-surface",
        isWide ? "flex w-full" : "inline-flex",
        size === "small" ? "h-control-small text-secondary" : "h-control text-body",
        className,
      )}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex flex-1 items-center justify-center whitespace-nowrap border-line border-l px-2 font-medium text-muted tabular-nums first:border-l-0 hover:text-default has-checked:bg-surface-pressed has-checked:text-default has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={group}
            value={option.value}
            checked={value === option.value}
            onChange={() => !isOff && onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
