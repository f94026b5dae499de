import { Link } from "@tanstack/react-router";
import { describeState, runStates } from "../../../../contract/states.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { formatDuration } from "../../../lib/time/format.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { DurationBar } from "../../../ui/Chart.tsx";
import { cx } from "../../../ui/cx.ts";
import { StateShape, toneWord } from "../../../ui/State.tsx";
import { Table, Td, Th, Tr } from "../../../ui/Table.tsx";
import type { usePerson } from "../../directory/index.ts";
import { useKillRequested } from "../kill.ts";
import { RunState } from "../RunState.tsx";
import { firstInputs, type RunRow, type RunSource, runLength, runName, valueWord } from "../run-row.ts";
import type { RunSelection } from "./selection/run-selection.ts";
import { SelectAll, SelectRun } from "./selection/SelectRuns.tsx";

type Props = {
  runs: readonly RunRow[];
  /** The length of a full bar, ms. */
  scale: number;
  selected: string | undefined;
  /** Opens the panel of a run. */
  onSelect: (runId: string) => void;
  /** Selects several. */
  selection: RunSelection;
  /** Who a user id is, in a word. */
  person: ReturnType<typeof usePerson>;
};

/** Where a run is known from, for a cell. */
const sourceWords: Record<RunSource, string> = {
  service: "the service",
  "started-here": "started here",
  opened: "opened here",
  added: "added by id",
  imported: "imported",
  "seen-in-artifacts": "an artifact",
};

/** Runs, newest first: state, flow, first inputs, started, duration, by whom; known from where, if not all from the same. */
export function RunsTable({ runs, scale, selected, onSelect, selection, person }: Props) {
  const killed = useKillRequested();
  // Where all say the same, the foot has said it already.
  const isMixed = runs.some((run) => run.source !== runs[0]?.source);
  return (
    <Table label="Runs">
      <thead>
        <tr>
          <Th className="w-[42px]">
            <SelectAll selection={selection} />
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
            onClick={(event) => (event.shiftKey ? selection.extendTo(run.runId) : onSelect(run.runId))}
            className="cursor-default scroll-mt-8 scroll-mb-24 has-checked:bg-surface-selected has-checked:[&>td:first-child]:shadow-[inset_2px_0_var(--accent-solid)]"
          >
            <Td>
              <SelectRun selection={selection} run={run} className="-my-2 -mr-2 -ml-5 py-2 pr-2 pl-5" />
            </Td>
            <Td>
              <RunState state={run.state} isKillRequested={killed.has(run.runId)} />
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

/** The runs list on phones: name and duration, then the first input, state and age. Each row is a link to its page. */
export function RunsRows({ runs, selection }: Pick<Props, "runs" | "selection">) {
  const killed = useKillRequested();
  return (
    <ul aria-label="Runs" className="border-t">
      {runs.map((run) => (
        <li key={run.runId} className="group/row relative border-b has-checked:bg-surface-selected">
          <SelectRun
            selection={selection}
            run={run}
            className="absolute inset-y-0 left-0 flex w-11 items-start pt-[11px] pl-edge-left"
          />
          <PhoneRow run={run} isKillRequested={killed.has(run.runId)} />
        </li>
      ))}
    </ul>
  );
}

function PhoneRow({ run, isKillRequested }: { run: RunRow; isKillRequested: boolean }) {
  const said = describeState(runStates, run.state);
  const { tone, word } = isKillRequested && !said.terminal ? runStates.TERMINATING : said;
  const moves = isMoving(run.state);
  const now = useNow(moves);
  const [name, value] = Object.entries(run.inputs)[0] ?? [];
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run.runId }}
      className="focus-inset flex items-start gap-2.5 py-2 pr-edge-left pl-11 active:bg-surface-pressed"
    >
      <StateShape tone={tone} className="mt-[3px]" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-3">
          <span className="min-w-0 flex-1 truncate font-medium">{runName(run)}</span>
          <span className={cx("tabular-nums", !moves && "text-muted")}>
            {lengthWord(runLength(run, now), tone === "waiting", moves)}
          </span>
        </span>
        <span className="flex items-baseline gap-3 text-muted text-secondary">
          <span className="min-w-0 flex-1 truncate font-mono">
            {name !== undefined && `${name}: ${valueWord(value)}`}
          </span>
          <span className="whitespace-nowrap">
            <span className={toneWord[tone]}>{word}</span> · <Ago at={run.createdTs} />
          </span>
        </span>
      </span>
    </Link>
  );
}

/** How long a run took, in a word. */
function lengthWord(length: number | null, isWaiting: boolean, moves: boolean): string {
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
