import { cx } from "./cx.ts";
import { StateShape } from "./StateShape.tsx";
import { type Tone, toneWord } from "./tone.ts";

/** A state in a list or a cell: shape and word, no tint. A word that we do not know is shown as it came, in a dashed outline. */
export function State({ tone, word, className }: { tone: Tone; word: string; className?: string }) {
  return (
    <span className={cx("inline-flex items-center gap-2 whitespace-nowrap", className)}>
      <StateShape tone={tone} />
      <span className={cx(toneWord[tone], tone === "unknown" && unknownWord)}>{word}</span>
    </span>
  );
}

const unknownWord =
  "max-w-32 truncate rounded-mark border border-dashed border-state-unknown-line px-1 text-mono-narrow leading-[14px] font-medium";
