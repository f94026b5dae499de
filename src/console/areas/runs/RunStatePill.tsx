import { describeState, runStates } from "../../../contract/states.ts";
import { StatePill } from "../../ui/Tag.tsx";

/** The state of a run in a header or a panel. */
export function RunStatePill({
  state,
  isKillRequested = false,
}: {
  state: string | null;
  isKillRequested?: boolean;
}) {
  const { tone, title, terminal } = describeState(runStates, state);
  if (isKillRequested && !terminal) return <StatePill tone="stopping" word="Stop requested…" />;
  return <StatePill tone={tone} word={title} />;
}
