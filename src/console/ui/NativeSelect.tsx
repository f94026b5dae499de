import ChevronDown from "lucide-react/icons/chevron-down";
import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { useFieldWiring } from "./fieldContext.ts";
import { boxClass } from "./Input.tsx";

type Props = Omit<ComponentProps<"select">, "size"> & {
  /** `bare`: only words and a caret, for a role at the end of a row. */
  look?: "box" | "small" | "bare";
};

const looks = {
  box: cx(boxClass, "h-control pr-8 pl-[9px]"),
  small: cx(boxClass, "h-control-small pr-7 pl-2 text-secondary font-medium"),
  bare: "h-control-small rounded-control pr-6 pl-1 font-medium text-secondary hover:bg-surface-hover",
};

/** One of a list, by the browser's own select, which every phone and reader knows. */
export function NativeSelect({ look = "box", className, children, ...rest }: Props) {
  return (
    <div className={cx("relative", look !== "box" && "inline-flex", className)}>
      <select {...useFieldWiring()} {...rest} className={cx("appearance-none text-ellipsis", looks[look])}>
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
