import { useCallback, useState } from "react";
import { useOnceSettled, useSettled } from "../../../lib/paging/PageSearch.tsx";
import type { TimeReader, Zone } from "../../../lib/time/format.ts";
import { formatTime } from "../../../lib/time/format-time.ts";
import { formatRange, type LineAddress, type LineRange, type LogAddress, parseRange } from "../search.ts";
import type { LogFilter } from "./log-view.ts";

/** How a person looks at a log. */
export interface LogOptions extends LogFilter {
  readonly text: string;
  /** The text is a regular expression. */
  readonly isPattern: boolean;
  readonly isWrapped: boolean;
  readonly time: TimeMode;
}

/** No node is chosen: lines of all of them, and of none. */
export const noNodes: ReadonlySet<string> = new Set();

const firstOptions: LogOptions = {
  text: "",
  isPattern: false,
  level: "all",
  nodes: noNodes,
  isWrapped: true,
  time: "start",
};

/** Since the run began, or as a clock in a zone. */
export type TimeMode = "start" | Zone;

/** How a line's time is shown: since the run began, or as a clock. */
export type LogTime = (ms: number) => string;

const pad = (value: number, length = 2) => String(value).padStart(length, "0");

/**
 * How the times of lines are written: `3:02.118` since the run began (`1:03:02.118` from an hour on), or `09:38:03.118`
 * with its day where that is not today. Where nobody knows when the run began, as a clock in the reader's zone.
 */
export function logTime(mode: TimeMode, startedAt: number | null, reader: TimeReader): LogTime {
  if (mode !== "start" || startedAt === null) {
    const shown = mode === "start" ? reader : { ...reader, zone: mode };
    return (ms) => formatTime(ms, shown, "millisecond");
  }
  return (ms) => {
    // A line may be stamped a little before the run's own time: never negative.
    const since = Math.max(0, ms - startedAt);
    const minutes = Math.floor(since / 60_000);
    const rest = `${pad(Math.floor(since / 1000) % 60)}.${pad(Math.floor(since % 1000), 3)}`;
    return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${rest}`;
  };
}

/** The width of the column of times in characters: as wide as what stands first in it, and as `1:03:02.118` at least. */
export function timeColumn(time: LogTime, startedAt: number | null): number {
  return Math.max(11, startedAt === null ? 0 : time(startedAt).length);
}

/**
 * How a person looks at a log. What is shown stands in the address, a moment later; another address (a link, back) is
 * what is shown then.
 */
export function useLogOptions(
  address: LogAddress,
  onAddress: (address: LogAddress) => void,
): readonly [LogOptions, (change: Partial<LogOptions>) => void] {
  const [options, setOptions] = useSettled<LogOptions>(
    addressKey(address),
    (old) => optionsOf(address, old),
    (chosen) => addressKey(addressOf(chosen)),
    (chosen) => onAddress(addressOf(chosen)),
  );
  const change = useCallback(
    (part: Partial<LogOptions>) => setOptions((old) => ({ ...old, ...part })),
    [setOptions],
  );
  return [options, change];
}

/** What of the options stands in the address. */
function addressOf({ level, nodes, text, isPattern }: LogOptions): LogAddress {
  return {
    level: level === "all" ? undefined : level,
    nodes: nodes.size === 0 ? undefined : [...nodes].sort(),
    q: text.trim() || undefined,
    regex: isPattern || undefined,
  };
}

/** The options with what an address says; how lines are drawn stays. */
function optionsOf({ level, nodes, q, regex }: LogAddress, options = firstOptions): LogOptions {
  return {
    ...options,
    level: level ?? "all",
    nodes: new Set(nodes),
    text: q ?? "",
    isPattern: regex ?? false,
  };
}

/** Equal for addresses that say the same. */
const addressKey = (address: LogAddress): string =>
  JSON.stringify([address.level, [...(address.nodes ?? [])].sort(), address.q, address.regex]);

/** The lines that are selected, and what selects them. */
export interface LineSelection {
  readonly range: LineRange | undefined;
  /** The line that was selected last: where the next step begins. */
  readonly head: number | undefined;
  /** Selects a line, or from the first selected one up to it. The only selected line is released. */
  select(number: number, isRange: boolean): void;
  /** Selects without releasing. */
  moveTo(number: number, isRange: boolean): void;
  selectAll(count: number): void;
  clear(): void;
}

interface SelectionEnds {
  /** Where a range begins, and the end that moves. */
  readonly anchor: number;
  readonly head: number;
}

/**
 * The lines that a person has chosen, also where they are not on the screen. They stand in the address, a moment later;
 * another address (a link, back) chooses its lines.
 */
export function useLineSelection(
  address: LineAddress | undefined,
  onAddress: (address: LineAddress | undefined) => void,
): LineSelection {
  const [selected, setSelected] = useState<SelectionEnds | undefined>(() => fromAddress(address));
  const [known, setKnown] = useState(address);
  if (known !== address) {
    setKnown(address);
    if (String(address) !== String(toAddress(selected))) setSelected(fromAddress(address));
  }
  const next = toAddress(selected);
  useOnceSettled(selected, String(next) === String(address), () => onAddress(next));

  const moveTo = useCallback(
    (number: number, isRange: boolean) =>
      setSelected((old) => ({ anchor: isRange && old ? old.anchor : number, head: number })),
    [],
  );
  const select = useCallback(
    (number: number, isRange: boolean) =>
      setSelected((old) => {
        if (isRange && old) return { anchor: old.anchor, head: number };
        return old?.anchor === number && old.head === number ? undefined : { anchor: number, head: number };
      }),
    [],
  );
  const selectAll = useCallback(
    (count: number) => setSelected(count > 0 ? { anchor: 1, head: count } : undefined),
    [],
  );
  const clear = useCallback(() => setSelected(undefined), []);
  return { range: rangeOf(selected), head: selected?.head, select, moveTo, selectAll, clear };
}

function rangeOf(selected: SelectionEnds | undefined): LineRange | undefined {
  return (
    selected && {
      from: Math.min(selected.anchor, selected.head),
      to: Math.max(selected.anchor, selected.head),
    }
  );
}
function toAddress(selected: SelectionEnds | undefined): LineAddress | undefined {
  const range = rangeOf(selected);
  return range && formatRange(range);
}
function fromAddress(address: LineAddress | undefined): SelectionEnds | undefined {
  const range = parseRange(address);
  return range && { anchor: range.from, head: range.to };
}
