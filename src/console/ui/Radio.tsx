import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";

/** The round mark of one choice: a ring, filled when chosen. */
export const radioClass =
  "size-3.5 shrink-0 appearance-none rounded-full border border-line-check bg-surface-raised checked:border-4 checked:border-accent-solid checked:bg-on-accent disabled:bg-surface-sunken";

/** One choice of a few, with its words. Give all of a group the same `name`, inside a fieldset. */
export function Radio({
  label,
  className,
  ...rest
}: Omit<ComponentProps<"input">, "type"> & { label: ReactNode }) {
  return (
    <label className={cx("inline-flex items-center gap-2", className)}>
      <input {...rest} type="radio" className={radioClass} />
      <span>{label}</span>
    </label>
  );
}
