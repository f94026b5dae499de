import {
  createContext,
  type RefCallback,
  useCallback,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

/** Calls each time that the element has another size. Returns the way to stop: to be used in the `ref` of the element. */
export function onResize(element: Element, look: () => void): () => void {
  if (!("ResizeObserver" in globalThis)) return () => {};
  const observer = new ResizeObserver(look);
  observer.observe(element);
  return () => observer.disconnect();
}

/** How many columns of the table around it are shown now. */
export const ShownColumns = createContext(1);

/** How many columns a cell takes that goes on to the end of its row, after `before` others. */
export const useRestOfRow = (before: number): number => Math.max(1, useContext(ShownColumns) - before);

/**
 * Counts the columns of a table that are shown: those that give way to others have no room, and a cell that went over
 * them all the same would make columns of nothing, which take their share of the table.
 */
export function useShownColumns(): readonly [RefCallback<HTMLTableElement>, number] {
  const table = useRef<HTMLTableElement>(null);
  const [shown, setShown] = useState(1);
  const count = useCallback(() => {
    const heads = [...(table.current?.tHead?.rows[0]?.cells ?? [])];
    setShown(
      heads.reduce((sum, head) => (getComputedStyle(head).display === "none" ? sum : sum + head.colSpan), 0),
    );
  }, []);
  // After each rendering: the heads may be others.
  useLayoutEffect(count);
  const ref = useCallback(
    (element: HTMLTableElement | null) => {
      table.current = element;
      return element ? onResize(element, count) : undefined;
    },
    [count],
  );
  return [ref, shown];
}
