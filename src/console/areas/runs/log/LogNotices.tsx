import ArrowDown from "lucide-react/icons/arrow-down";
import Copy from "lucide-react/icons/copy";
import X from "lucide-react/icons/x";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { plainText } from "../../../lib/ansi.ts";
import { counted, grouped } from "../../../lib/words.ts";
import { Button, IconButton } from "../../../ui/Button.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import type { LineRange } from "../search.ts";
import type { RunLog } from "../worker/run-log.ts";

/** The service sent other lines than those that were there: said until the person has seen it. */
export function ReplacedLines({ replacements }: { replacements: number }) {
  const [seen, setSeen] = useState(replacements);
  if (replacements <= seen) return null;
  return (
    <p
      role="status"
      className="flex items-center gap-2 border-b py-1 pr-edge-right pl-edge-left text-muted text-secondary"
    >
      <span className="flex-1">The service changed earlier lines. This is the current log.</span>
      <Button size="small" variant="quiet" onClick={() => setSeen(replacements)}>
        OK
      </Button>
    </p>
  );
}

/** How many lines came below what is being read; leads there. */
export function NewLines({ count, onFollow }: { count: number; onFollow: () => void }) {
  return (
    <button
      type="button"
      onClick={onFollow}
      className="fade-in pointer-events-auto flex h-7 items-center gap-2 rounded-full bg-surface-inverse px-3.5 font-medium text-inverse text-secondary tabular-nums shadow-float"
    >
      <ArrowDown className="size-3.5" />
      {counted(count, "new line")}
    </button>
  );
}

type Props = { range: LineRange; onCopy: (range: LineRange) => Promise<void>; onClear: () => void };

/** Several lines are chosen, perhaps beyond what is on the screen: how many, and what can be done with them. */
export function SelectedLines({ range, onCopy, onClear }: Props) {
  return (
    <div className="fade-in pointer-events-auto flex items-center gap-2 rounded-panel border bg-surface-raised py-1 pr-1 pl-3 text-secondary tabular-nums shadow-float">
      <span>
        Lines {grouped(range.from)} to {grouped(range.to)}
      </span>
      <Button size="small" icon={<Copy />} onClick={() => void onCopy(range)}>
        Copy {counted(range.to - range.from + 1, "line")}
      </Button>
      <IconButton size="small" label="Clear selection" onClick={onClear}>
        <X />
      </IconButton>
    </div>
  );
}

type LongLineProps = { raw: string; number: number; onClose: () => void };

/** Letters in a row, and rows around those in view. */
const rowLength = 80;
const pieceHeight = 20;
const around = 20;

/** A line of megabytes as a whole: only the part in view exists as elements. */
export function LongLine({ raw, number, onClose }: LongLineProps) {
  const [text] = useState(() => plainText(raw));
  const [top, setTop] = useState(0);
  const rows = Math.ceil(text.length / rowLength);
  const first = Math.max(0, Math.floor(top / pieceHeight) - around);
  const shown = Array.from({ length: Math.min(rows - first, 2 * around + 30) }, (_, at) => first + at);
  return (
    <Dialog
      onClose={onClose}
      title={`Line ${grouped(number)}`}
      description={`${grouped(text.length)} characters, ${rowLength} in a row`}
      footer={<CopyButton text={raw} what="the full line" look="plain" />}
    >
      <section
        aria-label="Full line"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        className="focus-inset h-[50dvh] overflow-auto border bg-surface-sunken text-mono"
      >
        <div className="relative" style={{ height: rows * pieceHeight }}>
          <div className="absolute left-0 px-3" style={{ top: first * pieceHeight }}>
            {shown.map((row) => (
              <div key={row} className="h-5 whitespace-pre">
                {text.slice(row * rowLength, (row + 1) * rowLength).replaceAll("\n", " ")}
              </div>
            ))}
          </div>
        </div>
      </section>
    </Dialog>
  );
}

/** Between two announcements, in ms: a log that pours must not be read aloud without end. */
const restMs = 8_000;

/**
 * What to say of lines that came, for those who listen: counted, and seldom. Those that are there when `isRead` becomes
 * true are no news, whenever it becomes known which of them are errors.
 */
export function useSpokenNews(
  { length, facts }: Pick<RunLog, "length" | "facts">,
  isRead: boolean,
  isMoving: boolean,
): string {
  const [spoken, setSpoken] = useState("");
  const said = useRef<number>(undefined);
  if (isRead) said.current ??= length;
  const isDue = isMoving && said.current !== undefined && length > said.current;
  const tell = useEffectEvent(() => {
    const from = said.current ?? length;
    const more = length - from;
    const failed = facts.errorLines.filter((line) => line >= from && !facts.isOverwritten(line)).length;
    said.current = length;
    if (more > 0)
      setSpoken(`${counted(more, "new line")}${failed > 0 ? `, ${counted(failed, "error")}` : ""}`);
  });
  useEffect(() => {
    if (!isDue) return;
    const timer = setInterval(() => tell(), restMs);
    return () => clearInterval(timer);
  }, [isDue]);
  return spoken;
}
