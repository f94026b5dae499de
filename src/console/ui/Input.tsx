import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { useFieldWiring } from "./fieldContext.ts";

/** The box of everything that is typed into. */
export const boxClass =
  "w-full min-w-0 rounded-control border border-line-strong bg-surface text-control text-default focus-inset focus-visible:border-focus aria-invalid:border-state-failed-mark aria-disabled:bg-surface-sunken aria-disabled:text-muted";

type Props = ComponentProps<"input"> & {
  /** An id, a key, JSON: set in mono. */
  isMono?: boolean;
};

/** A line of text. Inside a Field it finds its label, hint and error by itself. */
export function Input({ isMono = false, className, type = "text", ...rest }: Props) {
  return (
    <input
      {...useFieldWiring()}
      {...rest}
      type={type}
      className={cx(boxClass, "h-control px-[9px]", isMono && "font-mono slashed-zero", className)}
    />
  );
}
