import { describeState, shownRunStates } from "../../../contract/states.ts";
import { State } from "../../ui/State.tsx";

/** The state of a run in a list; `isKillRequested` shows what was asked for until a read says what became of it. */
export function RunState({
  state,
  isKillRequested = false,
}: {
  state: string | null;
  isKillRequested?: boolean;
}) {
  const { tone, word, terminal } = describeState(shownRunStates, state);
  if (isKillRequested && !terminal) return <State tone="stopping" word="stopping" />;
  return <State tone={tone} word={word} />;
}
