import type { RunsSearch } from "../search.ts";
import { RunsView } from "./RunsView.tsx";
import { useKnownRuns, useMinute } from "./useRunList.ts";

/** The list where the service has none: what this browser knows. */
export default function KnownRuns({ search }: { search: RunsSearch }) {
  return <RunsView search={search} list={useKnownRuns(search, useMinute())} isService={false} />;
}
