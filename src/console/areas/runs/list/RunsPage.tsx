import { useCan } from "../../../lib/api.tsx";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { later } from "../../../ui/later.ts";
import type { RunsSearch } from "../search.ts";
import { RunsView } from "./RunsView.tsx";
import { useMinute, useServiceRuns } from "./useRunList.ts";

const KnownRuns = later(() => import("./KnownRuns.tsx"));

/** The runs that the service lists, else those that this browser knows, saying which. */
export function RunsPage({ search }: { search: RunsSearch }) {
  const canList = useCan("runs");
  if (canList) return <ServiceRuns search={search} />;
  return (
    <LazyPart>
      <KnownRuns search={search} />
    </LazyPart>
  );
}

function ServiceRuns({ search }: { search: RunsSearch }) {
  return <RunsView search={search} list={useServiceRuns(search, useMinute())} isService />;
}
