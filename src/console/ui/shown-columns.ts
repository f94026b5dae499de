import {
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from "react";

/** How many columns of the table around it are shown now. */
export const ShownColumns = createContext(1);

/** How many columns a cell takes that goes on to the end of its row, after `before` others. */
export const useRestOfRow = (before: number): number => Math.max(1, useContext(ShownColumns) - before);

/**
 * Counts the columns of a table that are shown: those that give way to others have no room, and a cell that went over
 * them all the same would make columns of nothing, which take their share of the table.
 */
export function useShownColumns(table: RefObject<HTMLTableElement | null>): number {
  const [shown, setShown] = useState(1);
  const count = useCallback(() => {
    const heads = [...(table.current?.tHead?.rows[0]?.cells ?? [])];
    setShown(
      heads.reduce((sum, head) => (getComputedStyle(head).display === "none" ? sum : sum + head.colSpan), 0),
    );
  }, [table]);
  // After each rendering: the heads may be others.
  useLayoutEffect(count);
  useEffect(() => {
    if (!table.current || !("ResizeObserver" in globalThis)) return;
    const observer = new ResizeObserver(count);
    observer.observe(table.current);
    return () => observer.disconnect();
  }, [table, count]);
  return shown;
}
