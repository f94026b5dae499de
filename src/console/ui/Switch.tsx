import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";

type Props = Omit<ComponentProps<"input">, "type" | "role"> & {
  label: ReactNode;
  /** Words before the switch, as in toolbars, or after it. */
  labelAt?: "before" | "after";
};

/** Something that is on or off at once, without a save. */
export function Switch({ label, labelAt = "after", className, ...rest }: Props) {
  return (
    <label
      className={cx("inline-flex items-center gap-2", labelAt === "before" && "flex-row-reverse", className)}
    >
      <input
        {...rest}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox says by itself whether it is checked
        role="switch"
        className="relative h-4 w-[26px] shrink-0 appearance-none rounded-full bg-line-check transition-colors duration-motion before:absolute before:top-0.5 before:left-0.5 before:size-3 before:rounded-full before:bg-surface-raised checked:bg-accent-solid checked:before:left-3"
      />
      <span>{label}</span>
    </label>
  );
}
