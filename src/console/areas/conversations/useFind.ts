import { useEffect, useMemo, useRef, useState } from "react";
import { countIn, searchTextOf } from "./find.ts";
import type { Row } from "./model.ts";

/** What a search found: the rows that have it, in order, and how many places that are. */
export interface Found {
  readonly text: string;
  readonly rows: readonly number[];
  readonly places: number;
  /** Not all rows were looked at yet. */
  readonly isSearching: boolean;
}

const sliceMs = 8;
const nothing: Found = { text: "", rows: [], places: 0, isSearching: false };

/** Searches all rows, also those that are not on the page, in slices that leave the page usable. */
export function useFind(rows: readonly Row[], text: string): Found {
  const wanted = text.trim();
  const texts = useMemo(() => new WeakMap<Row, string>(), []);
  const [found, setFound] = useState(nothing);
  const last = useRef(wanted);
  useEffect(() => {
    if (wanted === "") {
      setFound(nothing);
      return;
    }
    let timer: ReturnType<typeof setTimeout>;
    let at = 0;
    let places = 0;
    const hits: number[] = [];
    const small = wanted.toLowerCase();
    const slice = () => {
      const until = performance.now() + sliceMs;
      for (; at < rows.length && performance.now() < until; at += 1) {
        const row = rows[at];
        if (!row) continue;
        const searched = texts.get(row) ?? searchTextOf(row);
        texts.set(row, searched);
        const count = countIn(searched, small);
        if (count > 0) hits.push(at);
        places += count;
      }
      const isSearching = at < rows.length;
      // More rows of the same search must not blink through "none".
      if (!isSearching || last.current !== wanted)
        setFound({ text: wanted, rows: [...hits], places, isSearching });
      last.current = wanted;
      if (isSearching) timer = setTimeout(slice, 0);
    };
    timer = setTimeout(slice, 0);
    return () => clearTimeout(timer);
  }, [rows, wanted, texts]);
  return wanted === "" ? nothing : found;
}
