import { type RefObject, useCallback, useState } from "react";
import type { RunLog } from "../worker/run-log.ts";
import type { LogLinesHandle } from "./useLineScroll.ts";

interface Followed {
  readonly log: Pick<RunLog, "length">;
  /** The run was read: until then nothing is known of it. */
  readonly isRead: boolean;
  /** More lines may come. */
  readonly isMoving: boolean;
  /** The address names a line, which is read rather than the end. */
  readonly isAtLine: boolean;
}

/** Whether the end of the log stays in sight as lines come, and how many came below what is being read instead. */
export function useFollowing(
  lines: RefObject<LogLinesHandle | null>,
  { log, isRead, isMoving, isAtLine }: Followed,
) {
  const length = isRead ? log.length : 0;
  const [isFollowing, setFollowing] = useState(!isAtLine && isMoving);
  const [readTo, setReadTo] = useState(length);
  const [isBegun, setBegun] = useState(isRead);
  if (isRead && !isBegun) {
    setBegun(true);
    setFollowing(!isAtLine && isMoving);
    setReadTo(length);
  }
  const follow = useCallback(
    (isOn: boolean) => {
      setFollowing(isOn && isMoving);
      setReadTo(log.length);
      if (isOn) lines.current?.toEnd();
    },
    [lines, log, isMoving],
  );
  const unread = isFollowing ? 0 : Math.max(0, length - Math.min(readTo, length));
  return { isFollowing, setFollowing, follow, unread };
}
