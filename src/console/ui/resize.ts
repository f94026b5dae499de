import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** Calls each time that the element has another size. Returns the way to stop: to be used in the `ref` of the element. */
export function onResize(element: Element, look: () => void): () => void {
  if (!("ResizeObserver" in globalThis)) return () => {};
  const observer = new ResizeObserver(look);
  observer.observe(element);
  return () => observer.disconnect();
}

/**
 * How many columns a cell takes that goes on to the end of its row, after `before` others: as many as are shown. Those that
 * give way to others have no room, and a cell that went over them all the same would make columns of nothing, which take their
 * share of the table. Only a cell that asks has the browser lay the table out to count them.
 */
export function useRestOfRow(before: number): readonly [RefObject<HTMLTableCellElement | null>, number] {
  const cell = useRef<HTMLTableCellElement>(null);
  const [shown, setShown] = useState(1);
  // After each rendering: the heads may be others.
  useLayoutEffect(() => {
    const table = cell.current?.closest("table");
    if (!table) return;
    const count = () => setShown(countOf(table));
    count();
    return onResize(table, count);
  });
  return [cell, Math.max(1, shown - before)];
}

const countOf = ({ tHead }: HTMLTableElement): number =>
  [...(tHead?.rows[0]?.cells ?? [])].reduce(
    (sum, head) => (getComputedStyle(head).display === "none" ? sum : sum + head.colSpan),
    0,
  );
