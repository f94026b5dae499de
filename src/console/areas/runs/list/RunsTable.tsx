import { Link } from "@tanstack/react-router";
import { describeState, runStates } from "../../../../contract/states.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { formatDuration } from "../../../lib/time/format.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { DurationBar } from "../../../ui/DurationBar.tsx";
import { Table, Td, Th, Tr } from "../../../ui/Table.tsx";
import type { usePerson } from "../../directory/index.ts";

import { RunState } from "../RunState.tsx";
import { firstInputs, type RunRow, runLength, runName } from "../run-row.ts";
import type { Picking } from "./pick/picking.tsx";
import { sourceWords } from "./words.ts";

type Props = {
  runs: readonly RunRow[];
  /** The length of a full bar, ms. */
  scale: number;
  selected: string | undefined;
  /** Opens the panel of a run. */
  onSelect: (runId: string) => void;
  /** Selects several; null until it is loaded. */
  picking: Picking | null;
  /** Who a user id is, in a word. */
  person: ReturnType<typeof usePerson>;
};

/** Runs, newest first: state, flow, first inputs, started, duration, by whom; known from where, if not all from the same. */
export function RunsTable({ runs, scale, selected, onSelect, picking, person }: Props) {
  // Where all say the same, the foot has said it already.
  const isMixed = runs.some((run) => run.source !== runs[0]?.source);
  return (
    <Table label="Runs">
      <thead>
        <tr>
          <Th className="w-[42px]">
            {picking ? <picking.PickAll picks={picking.picks} /> : <span className="sr-only">Chosen</span>}
          </Th>
          <Th className="w-[108px]">State</Th>
          <Th>Flow</Th>
          <Th className="@max-[820px]:hidden">First inputs</Th>
          <Th className="w-[92px]" sort="descending">
            Started
          </Th>
          <Th
            isFigure
            className="w-[140px] @max-[1040px]:w-[148px] @max-[1040px]:pr-edge-right @max-[640px]:w-[100px]"
          >
            Duration
          </Th>
          <Th className="w-[96px] @max-[1040px]:hidden">By</Th>
          {isMixed && <Th className="w-[104px] @max-[1040px]:hidden">Known from</Th>}
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Tr
            key={run.runId}
            data-run={run.runId}
            isSelected={run.runId === selected}
            onClick={(event) =>
              picking && event.shiftKey ? picking.picks.extendTo(run.runId) : onSelect(run.runId)
            }
            className="cursor-default scroll-mt-8 scroll-mb-24 has-checked:bg-surface-selected has-checked:[&>td:first-child]:shadow-[inset_2px_0_var(--accent-solid)]"
          >
            <Td>
              {picking && (
                <picking.PickRun
                  picks={picking.picks}
                  run={run}
                  className="-my-2 -mr-2 -ml-5 py-2 pr-2 pl-5"
                />
              )}
            </Td>
            <Td>
              {picking ? <picking.StateOf picks={picking.picks} run={run} /> : <RunState state={run.state} />}
            </Td>
            <Td kind="name" title={runName(run)}>
              <Link
                to="/runs/$runId"
                params={{ runId: run.runId }}
                onClick={(event) => event.stopPropagation()}
              >
                {runName(run)}
              </Link>
            </Td>
            <Td kind="muted" className="text-secondary @max-[820px]:hidden" title={inputsTitle(run)}>
              {firstInputs(run.inputs)}
            </Td>
            <Td kind="muted">
              <Ago at={run.createdTs} />
            </Td>
            <Td kind="figure" className="@max-[1040px]:pr-edge-right">
              <Duration run={run} scale={scale} />
            </Td>
            <Td kind="muted" className="@max-[1040px]:hidden" title={run.userId ?? undefined}>
              <bdi>{person(run.userId, run.user)}</bdi>
            </Td>
            {isMixed && (
              <Td kind="faint" className="@max-[1040px]:hidden">
                {sourceWords[run.source]}
              </Td>
            )}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function Duration({ run, scale }: { run: RunRow; scale: number }) {
  const now = useNow(isMoving(run.state));
  const { tone } = describeState(runStates, run.state);
  const length = runLength(run, now);
  const isWaiting = tone === "waiting";
  return (
    <span className="flex items-baseline justify-end gap-2">
      <DurationBar
        share={length === null || isWaiting ? 0 : Math.min(1, length / scale)}
        tone={tone}
        className="mr-auto self-center @max-[640px]:hidden"
      />
      <span className={isMoving(run.state) ? "" : "text-muted"}>
        {lengthWord(length, isWaiting, isMoving(run.state))}
      </span>
    </span>
  );
}

export function lengthWord(length: number | null, isWaiting: boolean, moves: boolean): string {
  if (isWaiting) return "not yet";
  if (length === null) return "not known";
  return formatDuration(length, { fine: !moves && length < 10_000 });
}

const inputsTitle = (run: RunRow): string =>
  Object.entries(run.inputs)
    .slice(0, 12)
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === "string" ? value.slice(0, 200) : JSON.stringify(value)}`,
    )
    .join("\n");
