import { useEffect, useMemo, useRef, useState } from "react";
import type { LogQuery } from "../worker/log-search.ts";
import type { RunLog } from "../worker/run-log.ts";
import { SearchTooSlow } from "../worker/run-reader-client.ts";

export interface LogSearch {
  /** 0-based lines with a hit, in order. */
  readonly hits: readonly number[];
  /** Which of them is the current one; -1 without hits. */
  readonly at: number;
  readonly isSearching: boolean;
  readonly problem: "no pattern" | "too slow" | "failed" | null;
  go(step: 1 | -1): void;
}

interface Found {
  readonly key: string;
  readonly hits: readonly number[];
  readonly isSearching: boolean;
  readonly problem: LogSearch["problem"];
}
const nothing: readonly number[] = [];

/**
 * Searches all lines, and lines that come later from where it ended; the current hit stays the line that it was.
 * `shows` leaves out hits in lines that a filter hides.
 */
export function useLogSearch(
  { log, search }: LogSource,
  text: string,
  regex: boolean,
  shows: ((line: number) => boolean) | null,
): LogSearch {
  const key = `${regex ? "regex" : "text"} ${log.replacements} ${text}`;
  const [found, setFound] = useState<Found>({ key: "", hits: nothing, isSearching: false, problem: null });
  const [line, setLine] = useState<number>();
  /** How far the search of this key came. */
  const reach = useRef({ key: "", to: 0, hits: nothing });
  const { length } = log;

  useEffect(() => {
    if (text === "") return;
    const stop = new AbortController();
    if (reach.current.key !== key) reach.current = { key, to: 0, hits: nothing };
    const { to: from, hits: before } = reach.current;
    if (from >= length) return;
    const hits = [...before];
    const tell = (isSearching: boolean, problem: Found["problem"] = null) => {
      if (!stop.signal.aborted) setFound({ key, hits: hits.slice(), isSearching, problem });
    };
    if (from === 0) tell(true);
    const onHits = (lines: Uint32Array) => {
      // The worker may have lines already that the page does not: they are searched when they are here.
      for (const one of lines) if (one < length) hits.push(one);
      tell(true);
    };
    search({ text, regex, caseSensitive: false, from }, onHits, stop.signal).then(
      () => {
        if (!stop.signal.aborted) reach.current = { key, to: length, hits };
        tell(false);
      },
      (error: unknown) => {
        if (error instanceof SyntaxError) tell(false, "no pattern");
        else if (error instanceof SearchTooSlow) {
          // Lines that come later would only be caught again.
          reach.current = { key, to: Number.POSITIVE_INFINITY, hits };
          tell(false, "too slow");
        } else tell(false, "failed");
      },
    );
    return () => stop.abort();
  }, [search, key, text, regex, length]);

  const isCurrent = text !== "" && found.key === key;
  const all = isCurrent ? found.hits : nothing;
  // A filter lets more lines through as more of them are understood.
  const understood = log.facts.length;
  const hits = useMemo(
    () => (shows ? all.filter((one) => one < understood && shows(one)) : all),
    [all, shows, understood],
  );
  const at = hits.length === 0 ? -1 : Math.max(0, line === undefined ? 0 : hits.indexOf(line));
  const isSearching = isCurrent && found.isSearching;
  const problem = isCurrent ? found.problem : null;
  return useMemo(
    () => ({
      hits,
      at,
      isSearching,
      problem,
      go: (step) => setLine(hits[(at + step + hits.length) % hits.length]),
    }),
    [hits, at, isSearching, problem],
  );
}

/** The log of one run, kept outside of React since it may have a million lines, and the search over all of it. */
export interface LogSource {
  readonly log: RunLog;
  /**
   * Tells of 0-based lines that show what is looked for, in order, as they are found.
   * @throws SyntaxError, SearchTooSlow
   */
  search(query: LogQuery, onHits: (lines: Uint32Array) => void, signal: AbortSignal): Promise<void>;
}
