import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Row } from "./message-rows.ts";

export interface ConversationLogHandle {
  /** Brings a row to the upper part of the view. */
  show(row: number): void;
  /** Whether any of a row can be seen. */
  isInView(row: number): boolean;
  toEnd(): void;
}

/** What stands under the messages: a message on its way, "working for 12 s", why the turn failed. */
export interface Tail {
  readonly key: string;
  readonly node: ReactNode;
}

export type ConversationScrollProps = {
  rows: readonly Row[];
  tail: readonly Tail[];
  isMoving: boolean;
  /** The part that the address names. */
  part: string | undefined;
  /** The turn in view, for the index beside. */
  onTurn: (turn: number) => void;
  handle: RefObject<ConversationLogHandle | null>;
};

/** What the rows are first drawn for, before their place is measured: those that it opens at, and no others. */
const firstRect = { width: 800, height: 700 };

/** Nearer to the end than this counts as being there. */
const atEnd = 32;

/**
 * Where a conversation opens, whether its end is followed, and which rows are drawn.
 * @returns `unread`: how many rows have come since the end was left
 */
export function useConversationScroll({
  rows,
  tail,
  isMoving,
  part,
  onTurn,
  handle,
}: ConversationScrollProps) {
  const scroller = useRef<HTMLElement>(null);
  const count = rows.length + tail.length;
  const getItemKey = useCallback(
    (index: number) => rows[index]?.key ?? `tail ${tail[index - rows.length]?.key ?? index}`,
    [rows, tail],
  );
  const estimateSize = useCallback((index: number) => estimateRow(rows[index]), [rows]);
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey,
    initialRect: firstRect,
    initialOffset: () => {
      const wanted = part === undefined ? -1 : rows.findIndex((row) => row.key === part);
      const before = wanted < 0 ? rows : rows.slice(0, wanted);
      const height = before.reduce((sum, row) => sum + estimateRow(row), 0);
      return wanted < 0 ? Math.max(0, height - firstRect.height) : height;
    },
    overscan: 6,
    scrollPaddingStart: 32,
    anchorTo: "end",
    scrollEndThreshold: atEnd,
  });
  const show = useCallback((row: number) => list.scrollToIndex(row, { align: "start" }), [list]);
  const toEnd = useCallback(() => list.scrollToEnd(), [list]);
  useImperativeHandle(handle, () => ({ show, toEnd, isInView: (row) => isInView(scroller.current, row) }), [
    show,
    toEnd,
  ]);

  const [isAtEnd, setAtEnd] = useState(part === undefined);
  const [seen, setSeen] = useState(count);
  if (isAtEnd && seen !== count) setSeen(count);
  // From the element itself: the list hears of the same scroll later.
  const onScroll = () => {
    const box = scroller.current;
    if (box) setAtEnd(box.scrollHeight - box.scrollTop - box.clientHeight <= atEnd);
  };

  // Opens at the end, or at the part that the address names; once for each address, so that no poll pulls the reader back.
  const opened = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (rows.length === 0 && tail.length === 0) return;
    const wanted = part ?? "";
    if (opened.current === wanted) return;
    const at = part === undefined ? -1 : rows.findIndex((row) => row.key === part);
    if (part !== undefined && at === -1 && isMoving) return;
    const isFirst = opened.current === null;
    opened.current = wanted;
    // A part that is in view already was linked to here, not followed from elsewhere.
    if (at >= 0 && (isFirst || !isInView(scroller.current, at))) {
      show(at);
      setAtEnd(list.isAtEnd(atEnd));
    } else if (isFirst) toEnd();
  }, [rows, tail.length, part, isMoving, show, toEnd, list]);

  // New rows may come before the last one ("working for 12 s"), which the list itself does not count as an end to follow.
  // They alone are followed: with `isAtEnd` among them, whoever scrolls to the last few pixels would be moved on to the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows and tail say when, though only isAtEnd says whether
  useLayoutEffect(() => {
    if (isAtEnd && opened.current !== null) toEnd();
  }, [rows, tail]);
  useEffect(
    () => () => {
      opened.current = null;
    },
    [],
  );

  const items = list.getVirtualItems();
  const middle = list.getVirtualItemForOffset((list.scrollOffset ?? 0) + (list.scrollRect?.height ?? 0) / 2);
  const turn = isAtEnd ? rows.at(-1)?.turn : rows[middle?.index ?? 0]?.turn;
  useEffect(() => {
    if (turn !== undefined) onTurn(turn);
  }, [turn, onTurn]);

  return { scroller, list, items, onScroll, toEnd, isAtEnd, unread: count - seen };
}

/** Whether a row stands in the visible part of the list. */
function isInView(scroller: HTMLElement | null, row: number): boolean {
  const place = scroller?.getBoundingClientRect();
  const box = scroller?.querySelector(`[data-index="${row}"]`)?.getBoundingClientRect();
  return place !== undefined && box !== undefined && box.bottom > place.top && box.top < place.bottom;
}

const line = 20;

/** About how high a row will be, in px, before it was measured: the nearer, the less the scroll bar jumps. */
function estimateRow(row: Row | undefined): number {
  if (!row) return 56;
  const edges = (row.isFirst ? 12 : 4) + (row.isLast ? 16 : 4);
  const gutter = row.isFirst ? (row.span.end === null ? 36 : 52) : 0;
  return edges + Math.max(gutter, bodyHeight(row.body));
}

function bodyHeight(body: Row["body"]): number {
  switch (body.kind) {
    case "said":
    case "text":
      return (
        Math.min(200, Math.ceil(body.text.length / 85) + body.text.slice(0, 4_000).split("\n").length) * line
      );
    case "call":
      return (body.call.tone === "running" ? 34 : 120) + (body.call.approval === null ? 0 : 48);
    case "file":
      return 50;
    case "notice":
      return 34;
    case "error":
    case "raw":
      return 90;
    default:
      return line;
  }
}
