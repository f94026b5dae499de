import { describeState, runStates } from "../../../contract/states.ts";
import { State } from "../../ui/State.tsx";
import { StatePill } from "../../ui/Tag.tsx";

/** The state of a run in a list; `isKillRequested` shows what was asked for until a read says what became of it. */
export function RunState({
  state,
  isKillRequested = false,
}: {
  state: string | null;
  isKillRequested?: boolean;
}) {
  const { tone, word, terminal } = describeState(runStates, state);
  if (isKillRequested && !terminal) return <State tone="stopping" word="stopping" />;
  return <State tone={tone} word={word} />;
}

/** The state of a run in a header or a panel. */
export function RunStatePill({
  state,
  isKillRequested = false,
}: {
  state: string | null;
  isKillRequested?: boolean;
}) {
  const { tone, title, terminal } = describeState(runStates, state);
  if (isKillRequested && !terminal) return <StatePill tone="stopping" word="Kill requested…" />;
  return <StatePill tone={tone} word={title} />;
}
