import { Link } from "@tanstack/react-router";
import { describeState, runStates } from "../../../../contract/states.ts";
import { isMoving } from "../../../api/run-state.ts";
import { type RunRow, runLength, runName, valueWord } from "../../../components/run/run-row.ts";
import { useNow } from "../../../components/time/clock.tsx";
import { Ago } from "../../../components/time/Time.tsx";
import { cx } from "../../../ui/cx.ts";
import { StateShape } from "../../../ui/StateShape.tsx";
import { toneWord } from "../../../ui/tone.ts";
import { lengthWord } from "./RunsTable.tsx";

/** The runs list on phones: name and duration, then the first input, state and age. Each row is a link to its page. */
export default function RunsRows({ runs }: { runs: readonly RunRow[] }) {
  return (
    <ul aria-label="Runs" className="border-t">
      {runs.map((run) => (
        <li key={run.runId} className="border-b">
          <Row run={run} />
        </li>
      ))}
    </ul>
  );
}

function Row({ run }: { run: RunRow }) {
  const { tone, word } = describeState(runStates, run.state);
  const moves = isMoving(run.state);
  const now = useNow(moves);
  const [name, value] = Object.entries(run.inputs)[0] ?? [];
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run.runId }}
      className="focus-inset flex items-start gap-2.5 px-edge-left py-2 active:bg-surface-pressed"
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
