import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { useFieldWiring } from "./fieldContext.ts";
import { boxClass } from "./Input.tsx";

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
