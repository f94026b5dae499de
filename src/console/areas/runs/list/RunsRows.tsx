import { Link } from "@tanstack/react-router";
import { describeState, runStates } from "../../../../contract/states.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { Ago } from "../../../lib/time/Time.tsx";
import { cx } from "../../../ui/cx.ts";
import { StateShape } from "../../../ui/StateShape.tsx";
import { toneWord } from "../../../ui/tone.ts";
import { useKillRequested } from "../mutations.ts";
import { type RunRow, runLength, runName, valueWord } from "../run-row.ts";
import type { Picking } from "./pick/picking.tsx";
import { lengthWord } from "./RunsTable.tsx";

type Props = {
  runs: readonly RunRow[];
  /** Selects several; null until it is loaded. */
  picking: Picking | null;
};

/** The runs list on phones: name and duration, then the first input, state and age. Each row is a link to its page. */
export default function RunsRows({ runs, picking }: Props) {
  const killed = useKillRequested();
  return (
    <ul aria-label="Runs" className="border-t">
      {runs.map((run) => (
        <li key={run.runId} className="group/row relative border-b has-checked:bg-surface-selected">
          {picking && (
            <picking.PickRun
              picks={picking.picks}
              run={run}
              className="absolute inset-y-0 left-0 flex w-11 items-start pt-[11px] pl-edge-left"
            />
          )}
          <Row run={run} isKillRequested={killed.has(run.runId)} />
        </li>
      ))}
    </ul>
  );
}

function Row({ run, isKillRequested }: { run: RunRow; isKillRequested: boolean }) {
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
