import { CopyButton } from "./CopyButton.tsx";
import { cx } from "./cx.ts";

type Props = {
  id: string;
  /** What it is the id of, for the copy button: "run id". */
  what: string;
  /** How many characters stay at the start and the end; nothing is cut when both are left out. */
  cut?: readonly [head: number, tail: number];
  className?: string;
};

/** An id in mono, cut in the middle where room is short, with a button that copies all of it. */
export function Id({ id, what, cut, className }: Props) {
  const shown = cut ? middleCut(id, ...cut) : id;
  return (
    <span className={cx("inline-flex items-center gap-0.5", cut ? "shrink-0" : "min-w-0", className)}>
      <code className="truncate text-mono" {...(shown !== id && { title: id })}>
        {shown}
      </code>
      <CopyButton text={id} what={what} look="inline" />
    </span>
  );
}

/**
 * Cuts a text in the middle: `head` characters, an ellipsis, `tail` characters. Leaves it whole when cutting would not
 * make it shorter. Counts whole characters, so that nothing is cut through.
 */
export function middleCut(text: string, head: number, tail: number): string {
  const characters = [...text];
  if (characters.length <= head + tail + 1) return text;
  return `${characters.slice(0, head).join("")}…${tail > 0 ? characters.slice(-tail).join("") : ""}`;
}
