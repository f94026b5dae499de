import { type RefObject, useLayoutEffect, useRef } from "react";
import type { LogLinesHandle } from "./useLineScroll.ts";

interface Opening {
  /** The run was read. */
  readonly isRead: boolean;
  readonly hasFailed: boolean;
  /** 1-based, once it is known, and where it is one of the rows. */
  readonly firstError: number | undefined;
  /** Something else has been asked for: a line of the address, a search, lines that were chosen. */
  readonly isElsewhere: boolean;
}

/**
 * The log of a run that had failed when it was opened stands at its first error, unless something else was asked for, or
 * somebody had begun to read. Once: a run that fails while it is watched, and one that is read on, stay where they are.
 */
export function useOpening(
  lines: RefObject<LogLinesHandle | null>,
  { isRead, hasFailed, firstError, isElsewhere }: Opening,
): void {
  const isDue = useRef<boolean>(undefined);
  useLayoutEffect(() => {
    if (!isRead) return;
    isDue.current ??= hasFailed;
    if (isElsewhere) isDue.current = false;
    if (!isDue.current || firstError === undefined || !lines.current) return;
    isDue.current = false;
    if (!lines.current.isMoved()) lines.current.show(firstError);
  }, [lines, isRead, hasFailed, firstError, isElsewhere]);
}
