import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApi, useCan } from "../../../lib/api.tsx";
import { Ago } from "../../../lib/time/Time.tsx";
import { useStore } from "../../../lib/useStore.ts";
import { linkClass } from "../../../ui/textClass.ts";
import { rowOfHistory } from "../known-row.ts";
import { runQueries } from "../queries.ts";
import { RunState } from "../RunState.tsx";
import { type RunRow, rowOfService, valueWord } from "../run-row.ts";

type Props = {
  flowId: string;
  /** The flow's inputs, in their order. */
  names: readonly string[];
};

const most = 4;

/** What this flow was given before; a click fills it in. Nothing stands here where nothing is known. */
export function StartedBefore({ flowId, names }: Props) {
  const api = useApi();
  const canList = useCan("runs");
  const listed = useQuery({ ...runQueries.list(api, { saved_item_id: flowId }), enabled: canList });
  const known = useStore(api.history.runs);
  const rows: readonly RunRow[] = canList
    ? (listed.data?.data.runs ?? []).flatMap((run) => (run ? (rowOfService(run) ?? []) : []))
    : known.flatMap((run) => (run.savedItemId === flowId ? (rowOfHistory(run, api.who.userId) ?? []) : []));
  if (rows.length === 0) return null;
  return (
    <section aria-label="Recent starts" className="shrink-0 border-t">
      <header className="hits flex h-9 items-center gap-3 pr-edge-left pl-edge-left">
        <h3 className="font-semibold">Recent starts</h3>
        <span className="flex-1 truncate text-muted text-secondary">click to fill in the form</span>
        <Link to="/runs" search={{ flow: flowId }} className={linkClass}>
          {listed.data?.data.next_cursor ? "All" : `All ${rows.length}`}
        </Link>
      </header>
      <ul>
        {rows.slice(0, most).map((run) => (
          <li key={run.runId} className="border-t">
            {/* The list may cut long values, so what is filled in is read from the run itself. */}
            <Link
              to="/runs/new"
              search={{ flow: flowId, from: run.runId }}
              className="focus-inset flex h-control w-full items-center gap-4 pr-edge-left pl-edge-left text-left hover:bg-surface-hover"
            >
              <span className="w-24 shrink-0">
                <RunState state={run.state} />
              </span>
              <span className="min-w-0 flex-1 truncate">{valuesOf(run, names)}</span>
              <span className="text-muted text-secondary">
                <Ago at={run.createdTs} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const mostOfValue = 60;
const shortened = (word: string): string =>
  word.length > mostOfValue ? `${word.slice(0, mostOfValue)}…` : word;

function valuesOf(run: RunRow, names: readonly string[]): string {
  const order = [
    ...names.filter((name) => Object.hasOwn(run.inputs, name)),
    ...Object.keys(run.inputs).filter((name) => !names.includes(name)),
  ];
  const words = order.map((name) => shortened(valueWord(run.inputs[name]))).filter((word) => word !== "");
  return words.length === 0 ? "no inputs" : words.join(" · ");
}
