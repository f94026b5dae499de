import { useDeferredValue, useEffect, useState } from "react";
import type { LogSource } from "./source.ts";

export interface LogSearch {
  /** 0-based lines with a hit. */
  readonly hits: readonly number[];
  /** Which of them is the current one; -1 without hits. */
  readonly at: number;
  go(step: 1 | -1): void;
}

const none: readonly number[] = [];

/** Searches all lines, again when lines came; the current hit stays the line that it was. */
export function useLogSearch(source: LogSource, length: number, text: string): LogSearch {
  const wanted = useDeferredValue(text.trim());
  const [found, setFound] = useState<{ text: string; hits: readonly number[] }>({ text: "", hits: none });
  const [line, setLine] = useState<number>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer log is another search
  useEffect(() => {
    if (wanted === "") return;
    const stop = new AbortController();
    let hits: readonly number[] = none;
    const onHits = (lines: Uint32Array) => {
      if (stop.signal.aborted) return;
      hits = [...hits, ...lines];
      setFound({ text: wanted, hits });
    };
    source.search(wanted, onHits, stop.signal).then(
      () => onHits(new Uint32Array(0)),
      () => {}, // aborted: a newer search is under way
    );
    return () => stop.abort();
  }, [source, wanted, length]);

  const hits = wanted === "" || found.text !== wanted ? none : found.hits;
  const at = hits.length === 0 ? -1 : Math.max(0, line === undefined ? 0 : hits.indexOf(line));
  return {
    hits,
    at,
    go: (step) => setLine(hits[(at + step + hits.length) % hits.length]),
  };
}
