import { useVirtualizer } from "@tanstack/react-virtual";

/** Up to so many rows all of them exist, so that the browser's own search finds them. */
const plain = 200;
const rowHeight = 41;

/** Which rows of a table exist as elements: all of a short one, of a long one those in view and some around them. */
export function useWindow(count: number) {
  const isLong = count > plain;
  const rows = useVirtualizer({
    count: isLong ? count : 0,
    getScrollElement: () => document.getElementById("content"),
    estimateSize: () => rowHeight,
    overscan: 20,
    initialRect: { width: 1200, height: 800 },
  });
  if (!isLong) return { shown: { from: 0, to: count }, before: 0, after: 0, measure: () => {} };
  const items = rows.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  return {
    shown: { from: first?.index ?? 0, to: (last?.index ?? -1) + 1 },
    before: first?.start ?? 0,
    after: last ? rows.getTotalSize() - last.end : rows.getTotalSize(),
    measure: rows.measureElement as (element: Element | null) => void,
  };
}
