import { usePreferences } from "../preferences/preferences.tsx";
import { useNow } from "./clock.tsx";
import { formatAge, formatMoment, parseTime } from "./format.ts";

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

const minute = 60_000;
const quarter = 15_000;

/** The present moment for an age: each second while it is said in seconds, every quarter of a minute afterwards. */
function useAgeClock(ms: number | null): number {
  const coarse = useNow(ms !== null, quarter);
  const isYoung = ms !== null && coarse - ms < minute;
  const fine = useNow(isYoung);
  return isYoung ? fine : coarse;
}
