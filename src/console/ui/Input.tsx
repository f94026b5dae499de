import Search from "lucide-react/icons/search";
import { type ComponentProps, createContext, type ReactNode, use } from "react";
import { cx } from "./cx.ts";
import { Kbd } from "./Kbd.tsx";

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

/** What a Field tells the control inside it. */
type FieldWiring = {
  id: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired: boolean;
};

export const FieldContext = createContext<FieldWiring | null>(null);

/** The attributes that tie a control to its label, hint and error; nothing outside a Field. */
export function useFieldWiring(): {
  id?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
  "aria-required"?: true;
} {
  const field = use(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    ...(field.describedBy !== undefined && { "aria-describedby": field.describedBy }),
    ...(field.isInvalid && { "aria-invalid": true }),
    ...(field.isRequired && { "aria-required": true }),
  };
}
