import { describeState, runStates } from "../../contract/states.ts";

/** Whether a run in this state can still change by itself; unknown states can (C-02). */
export function isMoving(state: string | null | undefined): boolean {
  return !describeState(runStates, state).terminal;
}
