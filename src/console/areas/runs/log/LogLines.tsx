import { type ClipboardEvent, type KeyboardEvent, useState } from "react";
import type { LineRange } from "../search.ts";
import type { RunLog } from "../worker/run-log.ts";
import { LogMap } from "./LogMap.tsx";
import { LogRow } from "./LogRow.tsx";
import type { LogTime } from "./log-options.ts";
import type { LogView } from "./log-view.ts";
import { RowSlots, useHeld } from "./row-slots.ts";
import { type LineScrollProps, useLineScroll } from "./useLineScroll.ts";

type Props = LineScrollProps & {
  time: LogTime;
  selected: LineRange | undefined;
  onSelect: (number: number, isRange: boolean) => void;
  onWhole: (number: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onCopy: (event: ClipboardEvent) => void;
  /** Text that is marked in the lines. */
  marked: string;
  /** 0-based lines with a hit, in order, and whether they are marked as a whole. */
  hits: readonly number[];
  isPattern: boolean;
  /** 1-based line of the current hit. */
  currentHit: number | undefined;
  /** 1-based line of the first error of a run that failed. */
  firstError: number | undefined;
};

/** The lines, of which only those in view exist as elements; each is measured, so that wrapped ones may be high. */
export function LogLines(props: Props) {
  const { log, view, isWrapped, isFollowing, selected, hits } = props;
  const [slots] = useState(() => new RowSlots());
  const { scroller, sizer, list, thumb, onScroll, first, end, shape } = useLineScroll(props);
  const texts = textsOf(log, view, first, end);
  const isHeld = useHeld(list);
  const keys = slots.assign(
    texts.map(({ line }) => line),
    !isHeld(),
  );
  return (
    // Nothing in here moves what is around it: a new line lays out the lines alone.
    <div className="relative flex min-h-0 flex-1 [contain:strict]">
      <section
        ref={scroller}
        aria-label="Log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={props.onKeyDown}
        onCopy={props.onCopy}
        className="focus-inset min-h-0 min-w-0 flex-1 overflow-auto bg-surface-sunken [overflow-anchor:none]"
      >
        <div ref={sizer} className="relative w-full overflow-y-clip">
          <ol
            ref={list}
            className={isWrapped ? "absolute top-0 left-0 w-full" : "absolute top-0 left-0 min-w-full"}
          >
            {texts.map(({ line, text }, at) => (
              <LogRow
                key={keys[at]}
                raw={text}
                number={line + 1}
                count={isFollowing ? -1 : log.length}
                time={props.time}
                isWrapped={isWrapped}
                isSelected={selected !== undefined && selected.from <= line + 1 && line + 1 <= selected.to}
                level={log.facts.levelOf(line)}
                search={props.marked}
                isHit={props.isPattern && hasLine(hits, line)}
                isCurrentHit={props.currentHit === line + 1}
                isFirstError={props.firstError === line + 1}
                onSelect={props.onSelect}
                onWhole={props.onWhole}
              />
            ))}
          </ol>
        </div>
      </section>
      <LogMap
        view={view}
        hits={hits}
        errors={log.facts.errorLines}
        version={`${log.version} ${log.facts.version} ${shape}`}
        thumb={thumb}
        onGo={(part) => {
          const box = scroller.current;
          if (box) box.scrollTop = part * (box.scrollHeight - box.clientHeight);
        }}
      />
    </div>
  );
}

/** The text of rows, read in as few windows of the log as they need. */
function textsOf(log: RunLog, view: LogView, first: number, end: number) {
  const texts: { line: number; text: string }[] = [];
  for (let row = first; row < end; ) {
    const line = view.lineAt(row);
    let next = row + 1;
    while (next < end && view.lineAt(next) === line + next - row) next += 1;
    log.getLines(line, next - row).forEach((text, at) => {
      texts.push({ line: line + at, text });
    });
    row = next;
  }
  return texts;
}

function hasLine(lines: readonly number[], line: number): boolean {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return lines[low] === line;
}
