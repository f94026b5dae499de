import ChevronDown from "lucide-react/icons/chevron-down";
import X from "lucide-react/icons/x";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";

type Props = Omit<ComponentProps<"button">, "value" | "type"> & {
  /** What is filtered: "State". */
  name: string;
  /** What it is set to, in words; nothing when the filter is not set. */
  value?: ReactNode;
  /** Takes the filter away. */
  onClear?: () => void;
};

/** The box of a filter, set or not. */
export const chipClass =
  "inline-flex h-control-small items-center rounded-control border text-secondary whitespace-nowrap";

/** A filter: plain with a caret when it is not set; when set, accent tint, the key muted and the value strong. */
export function Chip({ name, value, onClear, className, ...rest }: Props) {
  if (value === undefined) {
    return (
      <button
        {...rest}
        type="button"
        className={cx(
          chipClass,
          "gap-2 border-line-strong px-2 font-medium text-muted hover:bg-surface-hover",
          className,
        )}
      >
        {name}
        <ChevronDown className="size-3.5" />
      </button>
    );
  }
  return (
    <span className={cx(chipClass, "border-accent-line bg-accent-bg", className)}>
      <button {...rest} type="button" className="flex h-full items-center gap-1.5 rounded-control pr-1 pl-2">
        <span className="text-muted">{name}</span> <span className="font-medium">{value}</span>
      </button>
      {onClear && (
        <button
          type="button"
          aria-label={`Clear ${name}`}
          onClick={onClear}
          className="flex h-full items-center rounded-control pr-1.5 pl-0.5 text-muted hover:text-default"
        >
          <X />
        </button>
      )}
    </span>
  );
}
