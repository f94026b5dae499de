import { cx } from "./cx.ts";
import { StateShape } from "./StateShape.tsx";
import { type Tone, toneWord } from "./tone.ts";

/** A state in a list or a cell: shape and word, no tint. A word that we do not know is shown as it came, in a dashed outline. */
export function State({
  tone,
  word,
  isPlain = false,
  className,
}: {
  tone: Tone;
  word: string;
  /** At the end of a row, where the word is support: of normal weight. */
  isPlain?: boolean;
  className?: string;
}) {
  return (
    <span className={cx("inline-flex items-baseline gap-[7px] whitespace-nowrap", className)}>
      <StateShape tone={tone} className="self-center" />
      <span
        className={cx(
          toneWord[tone],
          !isPlain && isStrong[tone] && "font-medium",
          tone === "unknown" && unknownWord,
        )}
      >
        {word}
      </span>
    </span>
  );
}

const isStrong: Partial<Record<Tone, true>> = { running: true, failed: true };

const unknownWord =
  "max-w-32 truncate rounded-mark border border-dashed border-state-unknown-line px-1 text-mono-narrow leading-[14px] font-medium";
