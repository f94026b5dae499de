import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { plainText } from "../../../lib/ansi.ts";
import type { Comparison } from "../../../lib/diff/compare-lines.ts";
import type { DiffLook, DiffSide } from "../../../lib/diff/DiffRow.tsx";
import { LineDiff } from "../../../lib/diff/LineDiff.tsx";
import { idMark, normalizeLine, timeMark } from "../../../lib/diff/normalize-line.ts";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { Switch } from "../../../ui/Choices.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import type { RunLog } from "../worker/run-log.ts";

/** One of the two runs, as far as its lines are shown. */
export interface ComparedRun {
  readonly runId: string;
  readonly log: RunLog;
}

type Props = {
  a: ComparedRun;
  b: ComparedRun;
  comparison: Comparison | null;
  hasFailed: boolean;
  even: boolean;
  showsAll: boolean;
  onEven: (even: boolean) => void;
  onShowAll: (all: boolean) => void;
};

/** How far into a line a difference is looked for; it may be megabytes long. */
const looked = 50_000;
const counts = {
  differ: ["line differs", "lines differ"],
  onlyA: "only in A",
  onlyB: "only in B",
  none: "no differences",
} as const;

/** Two logs beside each other. A number leads to the line in its run. */
export function LogDiff({ a, b, comparison, hasFailed, even, showsAll, onEven, onShowAll }: Props) {
  const isNarrow = useMedia(phone);
  const look = useMemo(() => lookOf({ a, b }, even), [a, b, even]);
  return (
    <section aria-label="Logs" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <LineDiff
        comparison={comparison}
        what="logs"
        label="Lines of both logs"
        title={<h3 className="font-semibold">Log</h3>}
        counts={counts}
        waiting={hasFailed ? "" : "comparing…"}
        look={look}
        showsAll={showsAll}
        empty="Neither run wrote a log."
        controls={
          <>
            <Switch
              label={isNarrow ? "Ignore times" : "Ignore times and IDs"}
              labelAt="before"
              checked={even}
              onChange={(event) => onEven(event.target.checked)}
            />
            <Segmented
              label="Lines"
              value={showsAll ? "all" : "differences"}
              options={[
                { value: "all", label: "All" },
                { value: "differences", label: "Differences" },
              ]}
              onChange={(value) => onShowAll(value === "all")}
            />
          </>
        }
      >
        {hasFailed && (
          <p className="p-5 text-muted">
            The logs could not be compared in this browser. Open each run to see its log.
          </p>
        )}
      </LineDiff>
    </section>
  );
}

function lookOf(runs: Readonly<Record<DiffSide, ComparedRun>>, even: boolean): DiffLook {
  const names = { a: "A", b: "B" };
  return {
    textOf: (side, line) => {
      const text = plainText((runs[side].log.getLines(line, 1)[0] ?? "").slice(0, looked));
      return even ? normalizeLine(text, [runs.a.runId, runs.b.runId]) : text;
    },
    numberOf: (side, line) => {
      const words = `Line ${line + 1} of ${names[side]} in its log`;
      return (
        <Link
          to="/runs/$runId"
          params={{ runId: runs[side].runId }}
          search={{ line: line + 1 }}
          tabIndex={-1}
          aria-label={words}
          title={words}
          className="block hover:text-default hover:underline"
        >
          {line + 1}
        </Link>
      );
    },
    write: (text) => <Evened text={text} />,
    names,
    cutsSame: true,
    parting: "The runs diverge here",
  };
}

const marks = new RegExp(`([${timeMark}${idMark}])`);

/** Marks of what was evened out, in a dashed outline. */
function Evened({ text }: { text: string }) {
  return text.split(marks).map((part, at) =>
    part === timeMark || part === idMark ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never move
      <EvenedMark key={at} what={part === timeMark ? "time" : "id"} />
    ) : (
      part
    ),
  );
}

/** Stands for a time or an id that was evened out. */
export function EvenedMark({ what }: { what: "time" | "id" }) {
  return (
    <span className="rounded-mark border border-line-check border-dashed px-0.5 font-mono text-[11px] text-muted">
      {what}
    </span>
  );
}
