import { Link } from "@tanstack/react-router";
import { describeState, shownRunStates } from "../../../../contract/states.ts";
import type { RowSelection } from "../../../lib/list/RowSelection.ts";
import { SelectRow, selectColumn } from "../../../lib/list/SelectRows.tsx";
import { isMoving } from "../../../lib/run-state.ts";
import { shownName } from "../../../lib/shownName.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { formatDuration } from "../../../lib/time/format.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { DurationBar } from "../../../ui/Chart.tsx";
import { cx } from "../../../ui/cx.ts";
import { StateShape, toneWord } from "../../../ui/State.tsx";
import type { Columns } from "../../../ui/Table.tsx";
import type { usePerson } from "../../directory/index.ts";
import { RunState } from "../RunState.tsx";
import { firstInputs, type RunRow, type RunSource, runLength, runName, valueWord } from "../run-row.ts";
import { selectLabel } from "./selection/SelectRuns.tsx";

type Shown = {
  runs: readonly RunRow[];
  /** The length of a full bar, ms. */
  scale: number;
  selection: RowSelection;
  /** Those of which the kill was asked for. */
  killed: ReadonlySet<string>;
  /** Who a user id is, in a word. */
  person: ReturnType<typeof usePerson>;
};

/** Where a run is known from, for a cell. */
const sourceWords: Record<RunSource, string> = {
  service: "the service",
  "started-here": "started here",
  opened: "opened here",
  added: "added by ID",
  imported: "imported",
  "seen-in-artifacts": "an artifact",
};

/** State, flow, first inputs, started, duration, by whom; known from where, if not all from the same. */
export function runColumns({ runs, scale, selection, killed, person }: Shown): Columns<RunRow> {
  // Where all say the same, the foot has said it already.
  const isMixed = runs.some((run) => run.source !== runs[0]?.source);
  return {
    select: selectColumn({
      selection,
      all: "Select all shown",
      idOf: ({ runId }) => runId,
      labelOf: selectLabel,
      isQuiet: true,
    }),
    state: {
      head: "State",
      width: 116,
      cell: (run) => <RunState state={run.state} isKillRequested={killed.has(run.runId)} />,
    },
    flow: {
      head: "Flow",
      kind: "name",
      title: runName,
      cell: (run) => (
        <>
          <Link to="/runs/$runId" params={{ runId: run.runId }}>
            {runName(run)}
          </Link>
          {run.error && (
            <bdi className="ml-2.5 font-normal text-muted text-secondary">{reasonOf(run.error)}</bdi>
          )}
        </>
      ),
    },
    inputs: {
      head: "First inputs",
      kind: "support",
      title: inputsTitle,
      className: "@max-[820px]:hidden",
      cell: (run) => firstInputs(run.inputs),
    },
    started: {
      head: "Started",
      width: 92,
      sort: "descending",
      kind: "muted",
      cell: (run) => <Ago at={run.createdTs} />,
    },
    duration: {
      head: "Duration",
      width: 140,
      kind: "figure",
      className: "@max-[1040px]:pr-edge-right",
      headClass: "@max-[1040px]:w-[148px] @max-[640px]:w-[100px]",
      cell: (run) => <Duration run={run} scale={scale} />,
    },
    by: {
      head: "By",
      width: 96,
      kind: "muted",
      title: (run) => run.userId,
      className: "@max-[1040px]:hidden",
      cell: (run) => <bdi>{person(run.userId, run.user)}</bdi>,
    },
    source: isMixed && {
      head: "Source",
      width: 104,
      kind: "faint",
      className: "@max-[1040px]:hidden",
      cell: (run) => sourceWords[run.source],
    },
  };
}

/** The beginning of what it says, where there is room for no more: all of it is on the run's page. */
const reasonOf = (error: string): string => shownName(error.slice(0, 200).replace(/\s*\n.*/s, ""));

function Duration({ run, scale }: { run: RunRow; scale: number }) {
  const now = useNow(isMoving(run.state));
  const { tone } = describeState(shownRunStates, run.state);
  const length = runLength(run, now);
  const isWaiting = tone === "waiting" && run.state !== "ASKING";
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

type PhoneRowProps = { run: RunRow; selection: RowSelection; isKillRequested: boolean };

/** A run on phones: name and duration, then the first input, state and age. All of it is a link to its page. */
export function PhoneRow({ run, selection, isKillRequested }: PhoneRowProps) {
  const said = describeState(shownRunStates, run.state);
  const { tone, word } = isKillRequested && !said.terminal ? shownRunStates.TERMINATING : said;
  const moves = isMoving(run.state);
  const now = useNow(moves);
  const [name, value] = Object.entries(run.inputs)[0] ?? [];
  return (
    <>
      <SelectRow
        selection={selection}
        id={run.runId}
        label={selectLabel(run)}
        isQuiet
        className="absolute inset-y-0 left-0 flex w-11 items-start pt-[11px] pl-edge-left"
      />
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
              {lengthWord(runLength(run, now), tone === "waiting" && run.state !== "ASKING", moves)}
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
          {run.error && <bdi className="block truncate text-muted text-secondary">{reasonOf(run.error)}</bdi>}
        </span>
      </Link>
    </>
  );
}

/** How long a run took, in a word. */
function lengthWord(length: number | null, isWaiting: boolean, moves: boolean): string {
  if (isWaiting) return "not yet";
  if (length === null) return "unknown";
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
