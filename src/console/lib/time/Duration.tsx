import { useNow } from "./clock.tsx";
import { formatDuration, parseTime } from "./format.ts";

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
