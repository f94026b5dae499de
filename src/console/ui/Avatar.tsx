import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/** Two letters, or an icon, in place of a picture: round for a person, square for a team or a server. Silent: the name stands beside it. */
export function Avatar({
  name,
  isGroup = false,
  className,
  children,
}: {
  name: string;
  isGroup?: boolean;
  className?: string;
  /** The icon. */
  children?: ReactNode;
}) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "inline-flex size-5 shrink-0 select-none items-center justify-center bg-surface-pressed text-[9px] text-muted font-semibold",
        isGroup ? "rounded-tag" : "rounded-full",
        className,
      )}
    >
      {children ?? initials(name)}
    </span>
  );
}

/** The first letters of the first and the last word, or the first two of a single one. */
function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const first = words[0] ?? "";
  const last = words.length > 1 ? (words.at(-1) ?? "") : "";
  const letters = last ? [...first].slice(0, 1).concat([...last].slice(0, 1)) : [...first].slice(0, 2);
  return letters.join("").toUpperCase();
}
