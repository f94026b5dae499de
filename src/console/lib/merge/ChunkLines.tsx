import { type ReactNode, useState } from "react";
import { cx } from "../../ui/cx.ts";
import { type WordPart, wordDiff } from "../diff/words.tsx";
import type { TextChunk, TextConflict } from "./merge-text.ts";
import { whose } from "./useMerge.ts";

type Props = {
  chunks: readonly TextChunk[];
  /** Its name for those who listen. */
  label: string;
  /** What stands in the place of lines that both changed. `line`: where they begin in the result. */
  conflict: (chunk: TextConflict, line: number) => ReactNode;
  /** How many lines of the result a chunk has, so that the numbers after it are right. */
  lengthOf: (chunk: TextChunk) => number;
};

/** Around a change so many unchanged lines stay in view; longer runs fold. */
const around = 2;
const shortest = 4;

/** The lines of a text that was changed: who changed which, word by word, and the rest folded. */
export function ChunkLines({ chunks, label, conflict, lengthOf }: Props) {
  let line = 1;
  return (
    <section aria-label={label} className="min-w-0 text-body">
      {chunks.map((chunk, at) => {
        const start = line;
        line += lengthOf(chunk);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: chunks of one merge never move
          <div key={at}>
            {chunk.kind === "conflict" ? (
              conflict(chunk, start)
            ) : chunk.kind === "same" ? (
              <Same lines={chunk.lines} start={start} isFirst={at === 0} isLast={at === chunks.length - 1} />
            ) : (
              <Changed chunk={chunk} start={start} name={whose[chunk.kind]} />
            )}
          </div>
        );
      })}
    </section>
  );
}

type SameProps = { lines: readonly string[]; start: number; isFirst: boolean; isLast: boolean };

function Same({ lines, start, isFirst, isLast }: SameProps) {
  const [isOpen, setOpen] = useState(false);
  const head = isFirst ? 0 : around;
  const tail = isLast ? 0 : around;
  const folded = lines.length - head - tail;
  const row = (text: string, at: number) => (
    <Row key={start + at} number={start + at}>
      {text === "" ? <Blank /> : text}
    </Row>
  );
  if (isOpen || folded < shortest) return lines.map(row);
  return (
    <>
      {lines.slice(0, head).map(row)}
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="focus-inset flex w-full items-center bg-surface-sunken py-1 pr-3 pl-[104px] text-left text-faint text-secondary hover:text-default max-sm:pl-12"
      >
        {folded} unchanged lines
      </button>
      {lines.slice(lines.length - tail).map((text, at) => row(text, lines.length - tail + at))}
    </>
  );
}

type ChangedProps = { chunk: Exclude<TextChunk, TextConflict>; start: number; name: string };

function Changed({ chunk, start, name }: ChangedProps) {
  const { lines, base } = chunk;
  // Only lines that stand for each other can be compared word by word.
  const words = lines.map((text, at) =>
    lines.length === base.length ? wordDiff(base[at] ?? "", text) : null,
  );
  const gone = base.filter((_, at) => (words[at] ?? null) === null);
  return (
    <>
      {gone.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one chunk never move
        <Row key={`out ${at}`} tone="removed" name={name}>
          <del className="text-muted">{text === "" ? <Blank /> : text}</del>
        </Row>
      ))}
      {lines.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one chunk never move
        <Row key={start + at} number={start + at} tone="added" name={name}>
          <Words parts={words[at] ?? null} after={text} />
        </Row>
      ))}
    </>
  );
}

const tones = { added: "bg-diff-add-bg", removed: "bg-diff-del-bg" };

type RowProps = { number?: number; name?: string; tone?: keyof typeof tones; children: ReactNode };

function Row({ number, name, tone, children }: RowProps) {
  return (
    <div className={cx("flex items-baseline", tone && tones[tone])}>
      <span className="w-9 shrink-0 pr-1 text-right text-faint text-mono tabular-nums">{number}</span>
      <span className="w-[68px] shrink-0 pl-2 text-muted text-secondary max-sm:sr-only">{name}</span>
      <span className="min-w-0 flex-1 whitespace-pre-wrap break-words pr-3 [overflow-wrap:anywhere] max-sm:pl-2">
        {children}
      </span>
    </div>
  );
}

type WordsProps = {
  /** Of `wordDiff`; null: the line is shown as it is. */
  parts: readonly WordPart[] | null;
  after: string;
  hidesRemoved?: boolean;
};

/** A line word by word: what was put in and, unless `hidesRemoved`, what was taken out. */
export function Words({ parts, after, hidesRemoved = false }: WordsProps) {
  if (parts === null) return after === "" ? <Blank /> : after;
  const shown = hidesRemoved ? parts.filter((part) => part.kind !== "removed") : parts;
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line never move
  return shown.map((part, at) => <Part key={at} {...part} />);
}

function Part({ kind, text }: WordPart) {
  if (kind === "added") return <ins className="rounded-[2px] bg-diff-add-strong no-underline">{text}</ins>;
  if (kind === "removed") return <del className="rounded-[2px] bg-diff-del-strong text-muted">{text}</del>;
  return text;
}

/** An empty line has its height and a word for those who listen. */
export function Blank() {
  return <span className="text-faint">(empty line)</span>;
}
