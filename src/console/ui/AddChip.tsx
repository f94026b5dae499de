import type { ComponentProps } from "react";
import { chipClass } from "./Chip.tsx";
import { cx } from "./cx.ts";

/** The place where one more filter can be added. */
export function AddChip({ children, className, ...rest }: Omit<ComponentProps<"button">, "type">) {
  return (
    <button
      {...rest}
      type="button"
      className={cx(
        chipClass,
        "border-dashed border-line-strong px-2 font-medium text-faint hover:text-default",
        className,
      )}
    >
      {children}
    </button>
  );
}
