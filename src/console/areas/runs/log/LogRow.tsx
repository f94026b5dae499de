import { memo } from "react";
import { readAnsi, type Span } from "../../../lib/ansi.ts";
import { markHits } from "../../../lib/markdown/Marked.tsx";
import { shownText } from "../../../lib/shownText.ts";
import { grouped } from "../../../lib/words.ts";
import { cx } from "../../../ui/cx.ts";
import { type Level, readLine } from "./line.ts";
import type { LogTime } from "./log-options.ts";

type Props = {
  raw: string;
  /** 1-based. */
  number: number;
  /** How many lines the log has; -1 while they come and are followed, or every row would be drawn again for each. */
  count: number;
  time: LogTime;
  isWrapped: boolean;
  /** One of the lines that are chosen. */
  isSelected: boolean;
  /** Known once the worker has read the line: then the lines of a stack trace have the level of their error. */
  level: Level;
  /** Text that is marked in the line; empty for none. */
  search: string;
  /** A pattern hit this line: the line is marked as a whole. */
  isHit: boolean;
  /** The hit that "next" went to. */
  isCurrentHit: boolean;
  /** Where a run that failed first says so. */
  isFirstError: boolean;
  onSelect: (number: number, isRange: boolean) => void;
  /** Shows a line that is cut as a whole. */
  onWhole: (number: number) => void;
};

const edges: Record<Level, string> = {
  plain: "border-l-transparent",
  warning: "border-l-state-stopped-mark text-state-stopped-fg",
  error: "border-l-state-failed-mark bg-state-failed-bg text-state-failed-fg",
};
/** A line may be megabytes long: more than this is shown only when asked for. */
const longest = 10_000;

/** One line: number (a link to it), time, node and text. */
export const LogRow = memo(function LogRow(props: Props) {
  const {
    raw,
    number,
    count,
    time,
    isWrapped,
    isSelected,
    search,
    isHit,
    isCurrentHit,
    isFirstError,
    onSelect,
  } = props;
  const line = readLine(raw);
  const level = props.level === "plain" ? line.level : props.level;
  const node = line.node === null ? undefined : shownText(line.node);
  const isWhole = line.text.length <= longest;
  const spans = readAnsi(isWhole ? line.text : line.text.slice(0, longest));
  const [only] = spans;
  const isPlain = spans.length === 1 && !only?.colour && !only?.bold && search === "";
  return (
    <li
      aria-setsize={count}
      aria-posinset={number}
      data-line={number}
      className={cx(
        // A grid: laying out the lines again for every poll takes two thirds of what it takes as a flex box.
        "grid min-h-5 grid-cols-[var(--log-digits)_minmax(0,1fr)] border-l-2 pr-4 pl-2 text-mono",
        "sm:grid-cols-[var(--log-digits)_calc(var(--log-time)+16px)_136px_minmax(0,1fr)] sm:pl-[9px]",
        edges[level],
        isSelected && "bg-surface-selected border-l-accent-solid",
        isFirstError && "shadow-[inset_0_1px_var(--state-failed-line),inset_0_-1px_var(--state-failed-line)]",
      )}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Link to line ${number}`}
        onClick={(event) => onSelect(number, event.shiftKey)}
        className={cx(
          "select-none self-start rounded-mark text-right font-mono tabular-nums",
          isHit
            ? isCurrentHit
              ? "bg-hit-current-bg text-on-hit"
              : "bg-hit-bg text-default"
            : "text-faint hover:text-default",
        )}
      >
        {number}
      </button>
      <span className="hidden pl-4 text-faint tabular-nums sm:block">
        {line.at === null ? "" : time(line.at)}
      </span>
      <span
        className="hidden truncate pl-4 font-text text-muted text-secondary leading-5 sm:block"
        title={node}
      >
        {node}
      </span>
      <span
        data-node={node}
        className={cx(
          "min-w-0 pl-2 sm:pl-4",
          // On phones the node stands before its text. Not an element of its own: a log has many rows.
          "max-sm:data-node:before:mr-2 max-sm:data-node:before:font-text max-sm:data-node:before:text-muted max-sm:data-node:before:text-secondary max-sm:data-node:before:content-[attr(data-node)]",
          isWrapped ? "whitespace-pre-wrap break-words" : "whitespace-pre",
        )}
        dir="auto"
      >
        {isFirstError && (
          // Isolated, so that it has no say in the direction of the line.
          <bdi className="float-right ml-3 select-none rounded-tag border border-state-failed-line bg-surface px-1.5 font-text text-[11px] text-state-failed-fg leading-[18px]">
            first error
          </bdi>
        )}
        {isPlain && isWhole ? (
          // Most lines: one text and nothing around it, as cheap as a row can be.
          only?.text
        ) : (
          <>
            {spans.map((span, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a span keeps no state and has no identity but its place in the line
              <Coloured key={at} span={span} search={search} isCurrent={isCurrentHit} />
            ))}
            {!isWhole && (
              <button
                type="button"
                onClick={() => props.onWhole(number)}
                className="ml-2 font-text text-accent underline"
              >
                Show all {grouped(line.text.length)} characters
              </button>
            )}
          </>
        )}
      </span>
    </li>
  );
});

const colours: Record<NonNullable<Span["colour"]>, string> = {
  red: "text-ansi-red",
  green: "text-ansi-green",
  yellow: "text-ansi-yellow",
  blue: "text-ansi-blue",
  magenta: "text-ansi-magenta",
  cyan: "text-ansi-cyan",
};

function Coloured({ span, search, isCurrent }: { span: Span; search: string; isCurrent: boolean }) {
  const parts = markHits(span.text, search);
  const className = cx(span.colour && colours[span.colour], span.bold && "font-semibold");
  if (className === "" && parts.length === 1 && !parts[0]?.isHit) return span.text;
  return (
    <span className={className || undefined}>
      {parts.map((part, at) =>
        part.isHit ? (
          <mark
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other identity and never move
            key={at}
            className={cx(
              "rounded-mark text-on-hit",
              isCurrent ? "bg-hit-current-bg" : "bg-hit-bg text-default",
            )}
          >
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </span>
  );
}
