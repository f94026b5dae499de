import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { describeState, runStates } from "../../../contract/states.ts";
import { runQueries } from "../../areas/runs/queries.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import type { KnownRun } from "../../lib/history/known-run.ts";
import { Unwatchable } from "../../lib/page/Unwatchable.tsx";
import { useNow } from "../../lib/time/clock.tsx";
import { formatAge, parseTime } from "../../lib/time/format.ts";
import { SidebarWatched } from "../../ui/SidebarItem.tsx";

/** What the person follows, with shape and age. */
export default function Watching({ runs }: { runs: readonly KnownRun[] }) {
  const api = useApi();
  const ids = runs.flatMap((run) => run.runId ?? []);
  const reads = useQueries({
    queries: ids.map((runId) => runQueries.run(api, runId, { inBackground: true })),
  });
  const now = useNow();
  return runs.map((run, at) => {
    const read = reads[at]?.data?.data;
    const state = read?.state ?? run.last?.state ?? "STARTED";
    const { tone, word } = describeState(runStates, state);
    const ended = parseTime(read?.finished_ts ?? run.last?.finishedTs);
    const began = parseTime(read?.created_ts ?? run.last?.createdTs) ?? run.knownAt;
    return (
      <Unwatchable
        key={run.id}
        name={run.savedItemName ?? run.savedItemId ?? run.runId ?? ""}
        onEnd={() => void api.history.watch(run.runId ?? "", false)}
      >
        <SidebarWatched
          tone={tone}
          word={word}
          age={`${formatAge(now - (ended ?? began))}${ended === null ? "" : " ago"}`}
        >
          <Link to="/runs/$runId" params={{ runId: run.runId ?? "" }}>
            {run.savedItemName ?? run.savedItemId ?? run.runId}
          </Link>
        </SidebarWatched>
      </Unwatchable>
    );
  });
}
