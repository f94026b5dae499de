import { useTimeReader } from "./clock.tsx";
import { formatMoment, parseTime } from "./format.ts";
import { formatTime } from "./format-time.ts";

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
