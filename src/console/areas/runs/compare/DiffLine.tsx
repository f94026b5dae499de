import { Link } from "@tanstack/react-router";
import { plainText } from "../../../lib/ansi.ts";
import { rowKinds } from "../../../lib/diff/compare-lines.ts";
import { evenOut, idMark, timeMark } from "../../../lib/diff/even.ts";
import { changedWords, type Words } from "../../../lib/diff/items.ts";
import { cx } from "../../../ui/cx.ts";
import type { RunLog } from "../worker/run-log.ts";
import { LeftOut, MarkedWords, type ShownPart, shownParts } from "./ShownParts.tsx";

/** One of the two runs, as far as its lines are shown. */
export interface DiffSide {
  readonly runId: string;
  readonly log: RunLog;
}

type Props = {
  a: DiffSide;
  b: DiffSide;
  /** 0-based lines; -1 where that side has none. */
  lineA: number;
  lineB: number;
  kind: number;
  even: boolean;
  /** One below the other, where there is no room for both. */
  isStacked: boolean;
};

/** What of a line is drawn, and how far into it a difference is looked for; a line may be megabytes long. */
const drawn = 2_000;
const looked = 50_000;

/** Two lines beside each other, with what differs marked and wrapped. A number leads to the line in its run. */
export function DiffLine({ a, b, lineA, lineB, kind, even, isStacked }: Props) {
  const isSame = kind === rowKinds.same;
  const read = (side: DiffSide, line: number) => {
    if (line === -1) return "";
    const raw = plainText((side.log.getLines(line, 1)[0] ?? "").slice(0, isSame ? drawn : looked));
    return even ? evenOut(raw, [a.runId, b.runId]) : raw;
  };
  const textA = read(a, lineA);
  const textB = read(b, lineB);
  const parts = isSame ? { a: wholeOf(textA), b: wholeOf(textB) } : shownParts(textA, textB, drawn);
  const marks = kind === rowKinds.values ? changedWords(parts.a.text, parts.b.text) : null;
  const halfA = (
    <Half
      side={a}
      line={lineA}
      kind={kind}
      tint="del"
      part={parts.a}
      words={marks?.a ?? [[parts.a.text, false]]}
    />
  );
  const halfB = (
    <Half
      side={b}
      line={lineB}
      kind={kind}
      tint="add"
      part={parts.b}
      words={marks?.b ?? [[parts.b.text, false]]}
    />
  );
  if (!isStacked) {
    return (
      <div className="grid grid-cols-2">
        {halfA}
        <div className="min-w-0 border-l">{halfB}</div>
      </div>
    );
  }
  if (isSame) return halfB;
  return (
    <>
      {lineA !== -1 && halfA}
      {lineB !== -1 && halfB}
    </>
  );
}

const wholeOf = (text: string): ShownPart => ({ text, before: 0, after: 0 });

const tints = {
  del: { line: "bg-diff-del-bg", word: "bg-diff-del-strong", name: "A" },
  add: { line: "bg-diff-add-bg", word: "bg-diff-add-strong", name: "B" },
};

interface HalfProps {
  side: DiffSide;
  line: number;
  kind: number;
  tint: "del" | "add";
  part: ShownPart;
  words: Words;
}

function Half({ side, line, kind, part, words, ...rest }: HalfProps) {
  const tint = tints[rest.tint];
  const isSame = kind === rowKinds.same;
  if (line === -1) return <div className="h-full min-h-5 bg-surface-pressed" />;
  return (
    <div className={cx("flex h-full min-h-5 min-w-0 text-mono", !isSame && tint.line)}>
      <Link
        to="/runs/$runId"
        params={{ runId: side.runId }}
        search={{ line: line + 1 }}
        tabIndex={-1}
        aria-label={`Line ${line + 1} of ${tint.name} in its log`}
        title={`Line ${line + 1} of ${tint.name} in its log`}
        className="w-12 shrink-0 pr-2.5 text-right text-faint tabular-nums hover:text-default hover:underline"
      >
        {line + 1}
      </Link>
      <span
        className={cx(
          "min-w-0 pr-2",
          isSame ? "truncate whitespace-pre" : "whitespace-pre-wrap break-words [overflow-wrap:anywhere]",
        )}
      >
        <LeftOut count={part.before} />
        <MarkedWords words={words} tint={tint.word} write={(text) => <Evened text={text} />} />
        <LeftOut count={part.after} />
      </span>
    </div>
  );
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
