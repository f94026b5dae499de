import ChevronDown from "lucide-react/icons/chevron-down";
import { type FormEvent, useState } from "react";
import { describeState, runStates } from "../../../../contract/states.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../../ui/Menu.tsx";
import { StateShape } from "../../../ui/State.tsx";
import { firstInputs, type RunRow } from "../run-row.ts";
import type { CompareSearch } from "../search.ts";
import type { GoodRuns } from "./compare.ts";

type Props = {
  search: CompareSearch;
  title: string;
  /** Why there are not two runs yet. */
  why: string;
  /** Runs of B's flow that may be A, newest first. */
  others?: readonly RunRow[];
  onCompare: (runs: { a: string; b: string }) => void;
};

/** Two runs by their ids, or one of the same flow, where the address does not name two. */
export function ChooseRuns({ search, title, why, others = [], onCompare }: Props) {
  const [a, setA] = useState(search.a ?? "");
  const [b, setB] = useState(search.b ?? "");
  const isReady = a.trim() !== "" && b.trim() !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onCompare({ a: a.trim(), b: b.trim() });
  };
  return (
    <EmptyState title={title}>
      {why}
      {others.length > 0 && (
        <p className="mt-3">
          <PickRun
            label="Choose run A"
            word="Choose a run of this flow"
            runs={others}
            onPick={(runId) => onCompare({ a: runId, b: b.trim() })}
          />
        </p>
      )}
      <form onSubmit={submit} className="mt-4 flex flex-col items-start gap-3 text-default">
        <Field label="Run A (for example, the good one)" className="w-80 max-w-full">
          <Input
            isMono
            placeholder="run ID"
            value={a}
            onChange={(event) => setA(event.target.value)}
            spellCheck={false}
          />
        </Field>
        <Field label="Run B" className="w-80 max-w-full">
          <Input
            isMono
            placeholder="run ID"
            value={b}
            onChange={(event) => setB(event.target.value)}
            spellCheck={false}
          />
        </Field>
        <Button type="submit" variant="primary" disabledReason={isReady ? undefined : "Enter two run IDs"}>
          Compare
        </Button>
      </form>
    </EmptyState>
  );
}

type PickRunProps = {
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
export function PickRun({ label, word = "Change", runs, good, current, onPick }: PickRunProps) {
  const { closest = null, last = null } = good ?? {};
  const offered = [
    ...(closest && closest.runId !== last?.runId ? [{ run: closest, word: "Most similar inputs" }] : []),
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
      <MenuLabel>{runs.length === 0 ? "No other runs of this flow" : "Runs of this flow"}</MenuLabel>
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
