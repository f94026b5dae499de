import { usePreferences } from "../preferences/preferences.tsx";
import { useNow, useTimeReader } from "./clock.tsx";
import { formatAge, formatDuration, formatMoment, formatTime, parseTime } from "./format.ts";

/** How long ago, with the exact moment on hover; a time that is none as it came. */
export function Ago({ at, suffix = " ago" }: { at: string | null | undefined; suffix?: string }) {
  const { zone } = usePreferences();
  const ms = parseTime(at);
  const now = useAgeClock(ms);
  if (ms === null) return <span>{at || "unknown"}</span>;
  return (
    <time dateTime={at ?? undefined} title={formatMoment(ms, { zone })}>
      {formatAge(now - ms)}
      {suffix}
    </time>
  );
}

/** The moment as a clock shows it, with the day where that is not today; day and year on hover. */
export function ClockTime({ at }: { at: string | null | undefined }) {
  const reader = useTimeReader();
  const ms = parseTime(at);
  if (ms === null) return <span>{at || "unknown"}</span>;
  return (
    <time dateTime={at ?? undefined} title={formatMoment(ms, reader)}>
      {formatTime(ms, reader)}
    </time>
  );
}

/** How long between two times, ticking while the second is missing and `isMoving`; null where it cannot be told. */
export function useDuration(
  from: string | null | undefined,
  to: string | null | undefined,
  isMoving: boolean,
): number | null {
  const start = parseTime(from);
  const end = parseTime(to);
  const now = useNow(isMoving && start !== null && end === null);
  if (start === null) return null;
  if (end !== null) return Math.max(0, end - start);
  return isMoving ? Math.max(0, now - start) : null;
}

/** The length of a run in words, ticking while it moves. */
export function Duration(props: {
  from: string | null | undefined;
  to: string | null | undefined;
  isMoving: boolean;
}) {
  const length = useDuration(props.from, props.to, props.isMoving);
  if (length === null) return <span>unknown</span>;
  return (
    <span className="tabular-nums">
      {formatDuration(length, { fine: !props.isMoving && length < 10_000 })}
    </span>
  );
}

const minute = 60_000;
const quarter = 15_000;

/** The present moment for an age: each second while it is said in seconds, every quarter of a minute afterwards. */
function useAgeClock(ms: number | null): number {
  const coarse = useNow(ms !== null, quarter);
  const isYoung = ms !== null && coarse - ms < minute;
  const fine = useNow(isYoung);
  return isYoung ? fine : coarse;
}
