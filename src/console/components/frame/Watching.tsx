import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useSyncExternalStore } from "react";
import { describeState, runStates } from "../../../contract/states.ts";
import { runQueries } from "../../api/queries/runs.ts";
import { isMoving } from "../../api/run-state.ts";
import type { KnownRun } from "../../history/known-run.ts";
import { SidebarWatched } from "../../ui/SidebarItem.tsx";
import { useApi } from "../api-context.tsx";
import { useNow } from "../time/clock.tsx";
import { formatAge, parseTime } from "../time/format.ts";

/** At most so many are followed, each with a poll of its own. */
const most = 6;
/** A run that ended stays for ten minutes, so that its end is noticed. */
const stays = 600_000;

/** Runs that this person started here and that still move, or ended a moment ago. */
export function useWatched(): readonly KnownRun[] {
  const { history, clock } = useApi();
  const known = useSyncExternalStore(history.runs.subscribe, history.runs.get);
  return useMemo(() => {
    const now = clock.now();
    const isWatched = (run: KnownRun) => {
      if (run.runId === null || run.provenance !== "started-here") return false;
      if (run.last === null || isMoving(run.last.state)) return now - run.knownAt < 24 * 3_600_000;
      return now - run.last.seenAt < stays;
    };
    return known.filter(isWatched).slice(0, most);
  }, [known, clock]);
}

/** What the person follows, with shape and age. */
export function Watching({ runs }: { runs: readonly KnownRun[] }) {
  const api = useApi();
  const ids = runs.flatMap((run) => run.runId ?? []);
  const reads = useQueries({ queries: ids.map((runId) => runQueries.run(api, runId)) });
  const now = useNow();
  return runs.map((run, at) => {
    const read = reads[at]?.data?.data;
    const state = read?.state ?? run.last?.state ?? "STARTED";
    const { tone, word } = describeState(runStates, state);
    const ended = parseTime(read?.finished_ts ?? run.last?.finishedTs);
    const began = parseTime(read?.created_ts ?? run.last?.createdTs) ?? run.knownAt;
    return (
      <SidebarWatched
        key={run.id}
        tone={tone}
        word={word}
        age={`${formatAge(now - (ended ?? began))}${ended === null ? "" : " ago"}`}
      >
        <Link to="/runs/$runId" params={{ runId: run.runId ?? "" }}>
          {run.savedItemName ?? run.savedItemId ?? run.runId}
        </Link>
      </SidebarWatched>
    );
  });
}
