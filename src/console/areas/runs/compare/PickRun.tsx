import ChevronDown from "lucide-react/icons/chevron-down";
import { describeState, runStates } from "../../../../contract/states.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../../ui/Menu.tsx";
import { StateShape } from "../../../ui/StateShape.tsx";
import { firstInputs, type RunRow } from "../run-row.ts";
import type { GoodRuns } from "./closest.ts";

type Props = {
  label: string;
  /** What stands on the button. */
  word?: string;
  /** Runs of the flow, newest first, without those that are compared already. */
  runs: readonly RunRow[];
  /** Offered first, but for the one that stands here already. */
  good?: GoodRuns;
  current?: string;
  onPick: (runId: string) => void;
};

const most = 12;

/** Another run in place of this one: good ones first, the one with the most equal inputs and the last. */
export function PickRun({ label, word = "Change", runs, good, current, onPick }: Props) {
  const { closest = null, last = null } = good ?? {};
  const offered = [
    ...(closest && closest.runId !== last?.runId ? [{ run: closest, word: "Most equal inputs" }] : []),
    ...(last ? [{ run: last, word: "Last good run" }] : []),
  ].filter(({ run }) => run.runId !== current);
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small" aria-label={label}>
          {word}
          <ChevronDown />
        </Button>
      }
    >
      {offered.map(({ run, word: which }) => (
        <MenuItem key={which} icon={<StateShape tone="done" />} onSelect={() => onPick(run.runId)}>
          {which}, <Ago at={run.createdTs} />
        </MenuItem>
      ))}
      {offered.length > 0 && <MenuSeparator />}
      <MenuLabel>{runs.length === 0 ? "No other run of this flow is known" : "Runs of this flow"}</MenuLabel>
      {runs.slice(0, most).map((run) => {
        const { tone, word: state } = describeState(runStates, run.state);
        return (
          <MenuItem
            key={run.runId}
            icon={<StateShape tone={tone} label={state} />}
            onSelect={() => onPick(run.runId)}
          >
            <Ago at={run.createdTs} />{" "}
            <span className="text-muted">{firstInputs(run.inputs, 2) || run.runId}</span>
          </MenuItem>
        );
      })}
    </Menu>
  );
}
