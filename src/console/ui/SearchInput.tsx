import Search from "lucide-react/icons/search";
import type { ComponentProps, ReactNode } from "react";
import { boxClass } from "./boxClass.ts";
import { cx } from "./cx.ts";
import { Kbd } from "./Kbd.tsx";

type SearchInputProps = Omit<ComponentProps<"input">, "size" | "type" | "value" | "onChange"> & {
  value: string;
  onText: (text: string) => void;
  /** Its name for those who listen; the placeholder is not one. */
  label: string;
  size?: "normal" | "small";
  /** The key that jumps here; hidden while something is typed. */
  shortcut?: string;
  /** What stands at the right while something is typed: "34 of 41". */
  count?: ReactNode;
};

/** A field that searches what is below it. Escape empties it before it closes anything else. */
export function SearchInput({
  value,
  onText,
  onKeyDown,
  label,
  size = "small",
  shortcut,
  count,
  className,
  ...rest
}: SearchInputProps) {
  return (
    <div className={cx("relative", className)}>
      <Search className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-muted" />
      <input
        {...rest}
        type="search"
        aria-label={label}
        value={value}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || value === "") return onKeyDown?.(event);
          event.stopPropagation();
          onText("");
        }}
        className={cx(
          boxClass,
          "appearance-none pr-8 pl-6.5",
          size === "small" ? "h-control-small sm:text-secondary" : "h-control",
        )}
      />
      <span className="pointer-events-none absolute inset-y-0 right-1.5 flex items-center text-faint text-secondary tabular-nums">
        {value
          ? count
          : shortcut !== undefined && (
              <span className="max-sm:hidden">
                <Kbd>{shortcut}</Kbd>
              </span>
            )}
      </span>
    </div>
  );
}
