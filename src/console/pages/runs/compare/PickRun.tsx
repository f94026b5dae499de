import ChevronDown from "lucide-react/icons/chevron-down";
import { describeState, runStates } from "../../../../contract/states.ts";
import { firstInputs, type RunRow } from "../../../components/run/run-row.ts";
import { Ago } from "../../../components/time/Time.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../../ui/Menu.tsx";
import { StateShape } from "../../../ui/StateShape.tsx";

type Props = {
  label: string;
  /** Runs of the flow, newest first, without those that are compared already. */
  runs: readonly RunRow[];
  good: RunRow | null;
  onPick: (runId: string) => void;
};

const most = 12;

/** Another run in place of this one: the last good one first. */
export function PickRun({ label, runs, good, onPick }: Props) {
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small" aria-label={label}>
          Change
          <ChevronDown />
        </Button>
      }
    >
      {good && (
        <>
          <MenuItem icon={<StateShape tone="done" />} onSelect={() => onPick(good.runId)}>
            Last good run, <Ago at={good.createdTs} />
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuLabel>{runs.length === 0 ? "No other run of this flow is known" : "Runs of this flow"}</MenuLabel>
      {runs.slice(0, most).map((run) => {
        const { tone, word } = describeState(runStates, run.state);
        return (
          <MenuItem
            key={run.runId}
            icon={<StateShape tone={tone} label={word} />}
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
