import { useMinute } from "./now.ts";
import { RunsView } from "./RunsView.tsx";
import type { RunsSearch } from "./search.ts";
import { useKnownRuns } from "./useKnownRuns.ts";

/** The list where the service has none: what this browser knows. */
export default function KnownRuns({ search }: { search: RunsSearch }) {
  return <RunsView search={search} list={useKnownRuns(search, useMinute())} isService={false} />;
}
