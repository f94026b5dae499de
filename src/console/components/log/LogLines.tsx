import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";
import type { RunLog } from "../../workers/run-log.ts";
import { LogRow, type LogTime } from "./LogRow.tsx";

export interface LogLinesHandle {
  /** Brings a line (1-based) to the middle. */
  show(number: number): void;
  toEnd(): void;
}

type Props = {
  log: RunLog;
  /** Lines at the last render; the caller renders again when it changes. */
  count: number;
  time: LogTime;
  isWrapped: boolean;
  isFollowing: boolean;
  /** The person scrolled away from the end, or back to it. */
  onFollow: (isFollowing: boolean) => void;
  /** 1-based line of the address. */
  marked: number | undefined;
  onPick: (number: number) => void;
  search: string;
  /** 1-based line of the current hit. */
  currentHit: number | undefined;
  handle: RefObject<LogLinesHandle | null>;
};

const rowHeight = 20;
/** Nearer to the end than this counts as being there. */
const atEnd = 24;

/** The lines, of which only those in view exist as elements; each is measured, so that wrapped ones may be high. */
export function LogLines(props: Props) {
  const { log, count, time, isWrapped, isFollowing, onFollow, marked, onPick, search, currentHit } = props;
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    paddingStart: 6,
    paddingEnd: 6,
  });

  const show = useCallback((number: number) => rows.scrollToIndex(number - 1, { align: "center" }), [rows]);
  const toEnd = useCallback(() => rows.scrollToEnd(), [rows]);
  useImperativeHandle(props.handle, () => ({ show, toEnd }), [show, toEnd]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines and other heights are what to follow
  useLayoutEffect(() => {
    if (isFollowing && count > 0) toEnd();
  }, [isFollowing, count, isWrapped, toEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: wrapping changes every height that was measured
  useLayoutEffect(() => rows.measure(), [isWrapped]);
  const shownMark = useRef<number>(undefined);
  useEffect(() => {
    // Once for each address: a poll must not pull the reader back to the line.
    if (marked === undefined || marked > count || shownMark.current === marked) return;
    shownMark.current = marked;
    show(marked);
  }, [marked, count, show]);

  const lastTop = useRef(0);
  const onScroll = () => {
    const box = scroller.current;
    if (!box) return;
    const left = box.scrollHeight - box.scrollTop - box.clientHeight;
    if (box.scrollTop < lastTop.current - 1 && left > atEnd && isFollowing) onFollow(false);
    else if (box.scrollTop > lastTop.current + 1 && left <= 2 && !isFollowing) onFollow(true);
    lastTop.current = box.scrollTop;
  };

  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const lines = log.getLines(first, (items.at(-1)?.index ?? -1) - first + 1);
  return (
    <section
      ref={scroller}
      aria-label="Log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={onScroll}
      className="focus-inset min-h-0 flex-1 overflow-auto bg-surface-sunken"
    >
      <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
        <ol
          className="absolute top-0 left-0 min-w-full"
          style={{ translate: `0 ${items[0]?.start ?? 0}px`, ...(isWrapped && { width: "100%" }) }}
        >
          {items.map((item) => (
            <li
              key={item.key}
              aria-setsize={count}
              aria-posinset={item.index + 1}
              data-index={item.index}
              ref={rows.measureElement}
            >
              <LogRow
                raw={lines[item.index - first] ?? ""}
                number={item.index + 1}
                digits={Math.max(3, String(count).length)}
                time={time}
                isWrapped={isWrapped}
                isMarked={marked === item.index + 1}
                search={search}
                isCurrentHit={currentHit === item.index + 1}
                onPick={onPick}
              />
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
