import { describeState, type Machine, shownRunStates } from "./states.ts";

type ActionsOf<M> = M extends Machine<infer A> ? A : never;

/** The question whether a state of this machine allows an action. */
export function can<M extends Machine>(machine: M) {
  return (raw: string | null | undefined, action: ActionsOf<M>): boolean =>
    describeState(machine, raw).actions.includes(action);
}

/** Whether a run in this state may be killed, its files downloaded, or be repeated. */
export const runCan = can(shownRunStates);
