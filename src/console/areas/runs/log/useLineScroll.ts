import {
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { onResize } from "../../../ui/resize.ts";
import type { RunLog } from "../worker/run-log.ts";
import type { LogView } from "./log-view.ts";
import { LogWindow, rowHeight } from "./log-window.ts";

export interface LogLinesHandle {
  /** Brings a line (1-based) into view. */
  show(number: number): void;
  toStart(): void;
  toEnd(): void;
  /** 1-based number of the line at the top. */
  top(): number;
  /** Whether the person has moved the lines. */
  isMoved(): boolean;
  focus(): void;
}

export type LineScrollProps = {
  log: RunLog;
  view: LogView;
  /** How wide the column of times is, in characters. */
  timeColumn: number;
  isWrapped: boolean;
  isFollowing: boolean;
  /** The person scrolled away from the end, or back to it. */
  onFollow: (isFollowing: boolean) => void;
  handle: RefObject<LogLinesHandle | null>;
  /** How much room there is at first, in px; 0 where that is not known. */
  height: number;
};

/** Nearer to the end than this counts as being there, in px. */
const atEnd = 24;
/** So many rows above and below the view while it stands. */
const nobodyScrolls = 2;

/**
 * Which rows of the log stand in the view, and where: what is scrolled, what is said to follow, and what the handle asks for
 * move them, and a row that turns out higher than thought leaves the line at the top where it is.
 * @returns the rows that are to be drawn, and what is tied to their elements
 */
export function useLineScroll(props: LineScrollProps) {
  const { log, view, timeColumn, isWrapped, isFollowing, onFollow } = props;
  const scroller = useRef<HTMLElement>(null);
  const sizer = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const thumb = useRef<HTMLDivElement>(null);
  const [rows] = useState(() => new LogWindow(props.height || undefined));
  const [, again] = useReducer((count: number) => count + 1, 0);
  const shape = `${view.shape} ${isWrapped} ${view.isFiltered} ${timeColumn}`;
  const last = useRef({ view, shape, topLine: 0 });
  if (last.current.view !== view || last.current.shape !== shape) {
    // Other rows, or rows of other heights: the line at the top stays at the top.
    rows.resize(view.count);
    rows.reset(view.rowOf(last.current.topLine));
    last.current = { ...last.current, view, shape };
  }
  rows.resize(view.count);
  if (isFollowing) rows.toEnd();
  // Rows outside of the view are for whoever scrolls; until then, and at the end, they would be drawn for nobody.
  const isScrolled = useRef(false);
  const { first, end } = isScrolled.current && !isFollowing ? rows.span() : rows.span(nobodyScrolls);

  /** Puts everything where it has to stand; after the rows were drawn, and when a scroll needs no other rows. */
  const place = useCallback(
    (firstDrawn: number) => {
      if (!scroller.current || !sizer.current || !list.current) return;
      sizer.current.style.height = `${rows.drawnHeight}px`;
      list.current.style.translate = `0 ${rows.placeOf(firstDrawn)}px`;
      if (!thumb.current) return;
      const { from, to } = rows.shown;
      thumb.current.style.top = `${from * 100}%`;
      thumb.current.style.height = `${(to - from) * 100}%`;
    },
    [rows],
  );
  const scrollTo = useCallback(() => {
    const box = scroller.current;
    if (box && Math.abs(box.scrollTop - rows.scrollTop) >= 1) box.scrollTop = rows.scrollTop;
  }, [rows]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !list.current) return;
    list.current.style.setProperty("--log-digits", `${Math.max(3, String(log.length).length)}ch`);
    list.current.style.setProperty("--log-time", `${timeColumn}ch`);
    // Where all of it will stand unless a row is higher than thought: so that it is laid out once, not twice.
    place(first);
    // Without layout (in tests) a view of usual height.
    rows.setView(box.clientHeight || 600);
    let row = first;
    for (const element of list.current.children) {
      rows.measure(row, (element as HTMLElement).offsetHeight || rowHeight);
      row += 1;
    }
    if (isFollowing) rows.toEnd();
    place(first);
    scrollTo();
    last.current.topLine = view.lineAt(rows.topRow);
    const needed = rows.span(0);
    if (needed.first < first || needed.end > end) again();
  });

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    let { clientWidth: width, clientHeight: height } = box;
    return onResize(box, () => {
      // It also calls for the first size, which the lines were drawn for.
      if (box.clientWidth === width && box.clientHeight === height) return;
      if (box.clientWidth !== width) rows.reset();
      ({ clientWidth: width, clientHeight: height } = box);
      again();
    });
  }, [rows]);

  const drawn = useRef({ first, end });
  useLayoutEffect(() => {
    drawn.current = { first, end };
  });
  const onScroll = () => {
    const box = scroller.current;
    if (!box || Math.abs(box.scrollTop - rows.scrollTop) < 1) return;
    const isUp = box.scrollTop < rows.scrollTop;
    isScrolled.current = true;
    rows.scrolledTo(box.scrollTop);
    last.current.topLine = view.lineAt(rows.topRow);
    if (isUp && isFollowing && rows.below > atEnd) onFollow(false);
    else if (!isUp && !isFollowing && rows.below <= 2) onFollow(true);
    const needed = rows.span(6);
    const isShort = needed.first < drawn.current.first || needed.end > drawn.current.end;
    // In this frame, or the person sees a hole.
    if (isShort || rows.isScaled) flushSync(again);
    else place(drawn.current.first);
  };

  const moved = useCallback((move: () => void) => {
    move();
    // The element is moved after the rows there were drawn.
    again();
  }, []);
  useImperativeHandle(
    props.handle,
    () => ({
      show: (number) => moved(() => rows.show(view.rowOf(number - 1))),
      toStart: () => {
        isScrolled.current = true;
        moved(() => rows.scrolledTo(0));
      },
      toEnd: () => {
        isScrolled.current = true;
        moved(() => rows.toEnd());
      },
      isMoved: () => isScrolled.current,
      top: () => view.lineAt(rows.topRow) + 1,
      focus: () => scroller.current?.focus({ preventScroll: true }),
    }),
    [rows, view, moved],
  );

  return { scroller, sizer, list, thumb, onScroll, first, end, shape };
}
