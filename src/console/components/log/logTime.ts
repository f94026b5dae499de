import { formatClock, type Zone } from "../time/format.ts";
import type { LogTime } from "./LogRow.tsx";

/** Since the run began, as a clock in the zone that the person has set, or in a zone of its own. */
export type TimeMode = "start" | "clock" | Zone;

const pad = (value: number, length = 2) => String(value).padStart(length, "0");

/** How the times of lines are written: `3:02.118` since the run began (`1:03:02.118` from an hour on), or `09:38:03.118`. */
export function logTime(mode: TimeMode, startedAt: number | null, zone: Zone): LogTime {
  if (mode !== "start" || startedAt === null) {
    const shown = mode === "local" || mode === "utc" ? mode : zone;
    return (ms) => `${formatClock(ms, shown)}.${pad(((ms % 1000) + 1000) % 1000, 3)}`;
  }
  return (ms) => {
    // A line may be stamped a little before the run's own time: never negative.
    const since = Math.max(0, ms - startedAt);
    const minutes = Math.floor(since / 60_000);
    const rest = `${pad(Math.floor(since / 1000) % 60)}.${pad(Math.floor(since % 1000), 3)}`;
    return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${rest}`;
  };
}
