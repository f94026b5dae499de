import { formatTime, type TimeReader, type Zone } from "../../../lib/time/format.ts";
import type { LogTime } from "./LogRow.tsx";

/** Since the run began, or as a clock in a zone. */
export type TimeMode = "start" | Zone;

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
