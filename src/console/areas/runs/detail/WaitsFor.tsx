import { useCallback, useSyncExternalStore } from "react";
import { describeState, runStates } from "../../../../contract/states.ts";
import { waitingLines, waitingReason } from "../log/waiting.ts";
import { useRunReader } from "../useRunReader.ts";

type Props = { runId: string; state: string };

/** Why a run has not begun yet, where its log says so. */
export function WaitsFor({ runId, state }: Props) {
  const log = useRunReader().log(runId);
  const waits = describeState(runStates, state).tone === "waiting";
  const reason = useSyncExternalStore(
    useCallback((listener: () => void) => log.subscribe(listener), [log]),
    useCallback(() => (waits ? waitingReason(log.getLines(0, waitingLines)) : null), [log, waits]),
  );
  if (reason === null) return null;
  return (
    <p role="status" className="mt-1 max-w-text text-secondary text-state-waiting-fg">
      {reason}
    </p>
  );
}
