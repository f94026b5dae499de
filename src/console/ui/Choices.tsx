import { type ComponentProps, type ReactNode, useId, useRef } from "react";
import { cx } from "./cx.ts";

type SwitchProps = Omit<ComponentProps<"input">, "type" | "role" | "disabled"> & {
  label: ReactNode;
  /** Words before the switch, as in toolbars, or after it. */
  labelAt?: "before" | "after";
};

/** Something that is on or off at once, without a save. */
export function Switch({ label, labelAt = "after", className, ...rest }: SwitchProps) {
  return (
    <label
      className={cx("inline-flex items-center gap-2", labelAt === "before" && "flex-row-reverse", className)}
    >
      <input
        {...rest}
        type="checkbox"
        onChange={(event) => rest["aria-disabled"] || rest.onChange?.(event)}
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox says by itself whether it is checked
        role="switch"
        className="relative h-4 w-[26px] shrink-0 appearance-none rounded-full bg-line-check transition-colors duration-motion before:absolute before:top-0.5 before:left-0.5 before:size-3 before:rounded-full before:bg-surface-raised checked:bg-accent-solid checked:before:left-3"
      />
      <span>{label}</span>
    </label>
  );
}

/** The round mark of one choice: a ring, filled when chosen. */
const radioClass =
  "size-3.5 shrink-0 appearance-none rounded-full border border-line-check bg-surface-raised checked:border-4 checked:border-accent-solid checked:bg-on-accent disabled:bg-surface-sunken";

type RadioRow<Value extends string> = {
  value: Value;
  name: ReactNode;
  /** Support for the name: beside it, or under it when the rows are `tall`. */
  about?: ReactNode;
  /** The state of this choice, at the right. */
  state?: ReactNode;
};
type RadioRowsProps<Value extends string> = {
  legend: ReactNode;
  rows: readonly RadioRow<Value>[];
  value: Value | undefined;
  onChange: (value: Value) => void;
  /** Where a choice does something at once: what was clicked, or taken by Enter or Space. The arrow keys only move to it. */
  onPick?: (value: Value) => void;
  hint?: ReactNode;
  /** Two lines each. */
  isTall?: boolean;
};

/** One choice of at most six, as rows of one outlined list. */
export function RadioRows<Value extends string>({
  legend,
  rows,
  value,
  onChange,
  onPick,
  hint,
  isTall = false,
}: RadioRowsProps<Value>) {
  const group = useId();
  // A browser clicks what the arrow keys move to.
  const isMoving = useRef(false);
  return (
    <fieldset className="min-w-0" {...(hint !== undefined && { "aria-describedby": `${group}-hint` })}>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="divide-y divide-line overflow-hidden rounded-control border border-line-strong bg-surface">
        {rows.map((row) => (
          <label
            key={row.value}
            className={cx(
              "flex items-center gap-2.5 px-2.5 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus",
              isTall ? "min-h-row-tall px-3.5 py-2" : "min-h-8 py-1",
              value === row.value ? "bg-surface-selected" : "hover:bg-surface-hover",
            )}
          >
            <input
              type="radio"
              name={group}
              value={row.value}
              checked={value === row.value}
              onChange={() => onChange(row.value)}
              {...(onPick && {
                onClick: () => isMoving.current || onPick(row.value),
                onKeyDown: (event) => {
                  isMoving.current = event.key.startsWith("Arrow");
                  if (event.key !== "Enter") return;
                  event.preventDefault();
                  onPick(row.value);
                },
                onKeyUp: () => {
                  isMoving.current = false;
                },
              })}
              className={cx(radioClass, "outline-none")}
            />
            <span className={cx("min-w-0 flex-1", !isTall && "truncate")}>
              <span className="font-medium">{row.name}</span>
              {row.about !== undefined && (
                <span className={cx("text-secondary text-muted", isTall ? "block" : "pl-1")}>
                  {row.about}
                </span>
              )}
            </span>
            {row.state !== undefined && (
              <span className="text-secondary text-muted tabular-nums">{row.state}</span>
            )}
          </label>
        ))}
      </div>
      {hint !== undefined && (
        <p id={`${group}-hint`} className="mt-1 text-faint text-secondary">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
