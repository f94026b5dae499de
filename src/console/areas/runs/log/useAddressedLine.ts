import { type RefObject, useEffect, useRef } from "react";
import type { LineAddress } from "../search.ts";
import { type LogOptions, noNodes } from "./log-options.ts";
import type { LogView } from "./log-view.ts";
import type { LogLinesHandle } from "./useLineScroll.ts";

interface Addressed {
  readonly line: LineAddress | undefined;
  /** Rises each time that the line is asked for: also where it is the one that it was. */
  readonly asked: number;
  /** The first line of the address, 1-based. */
  readonly number: number | undefined;
  /** How many lines there are once the run was read; 0 before. */
  readonly length: number;
  /** Of how many lines it is known what a filter needs. */
  readonly understood: number;
  readonly view: LogView;
  /** More lines may come. */
  readonly isMoving: boolean;
  readonly setFollowing: (isOn: boolean) => void;
  /** Takes a filter away that hides the line. */
  readonly onOptions: (change: Partial<LogOptions>) => void;
}

/**
 * Brings the line of the address into sight.
 * @returns its number where the log has ended before it
 */
export function useAddressedLine(
  lines: RefObject<LogLinesHandle | null>,
  { line, asked, number, length, understood, view, isMoving, setFollowing, onOptions }: Addressed,
): number | undefined {
  // Once for each address, and each time that it is asked for: a poll must not pull the reader back to the line.
  const shown = useRef("");
  const canJudge = !view.isFiltered || understood >= (number ?? 0);
  useEffect(() => {
    const wanted = `${line} ${asked}`;
    if (line === undefined || number === undefined || shown.current === wanted || number > length) return;
    setFollowing(false);
    if (!canJudge) return;
    // With the rows that there are then: of these there may be none.
    if (view.isFiltered && !view.shows(number - 1)) return onOptions({ level: "all", nodes: noNodes });
    shown.current = wanted;
    lines.current?.show(number);
  }, [lines, line, asked, number, length, canJudge, view, setFollowing, onOptions]);
  const isBehind = !isMoving && length > 0 && number !== undefined && number > length;
  useEffect(() => {
    if (isBehind) lines.current?.toEnd();
  }, [lines, isBehind]);
  return isBehind ? number : undefined;
}
