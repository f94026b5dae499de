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
  const isSet = value !== undefined;
  // The same tree whether it is set or not, so that its button keeps the focus.
  return (
    <span
      className={cx(
        chipClass,
        isSet
          ? "border-accent-line bg-accent-bg"
          : "border-line-strong font-medium text-muted hover:bg-surface-hover",
        className,
      )}
    >
      <button {...rest} type="button" className="flex h-full items-center gap-1.5 rounded-control px-2">
        <span className="text-muted">{name}</span>{" "}
        {isSet ? <span className="font-medium">{value}</span> : <ChevronDown className="size-3.5" />}
      </button>
      {onClear && (
        <button
          type="button"
          aria-label={`Clear ${name}`}
          onClick={({ currentTarget }) => {
            currentTarget.parentElement?.querySelector("button")?.focus();
            onClear();
          }}
          className="flex h-full items-center rounded-control pr-1.5 text-muted hover:text-default"
        >
          <X />
        </button>
      )}
    </span>
  );
}
