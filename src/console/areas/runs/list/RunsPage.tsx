import { useCan } from "../../../lib/api.tsx";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { later } from "../../../ui/later.ts";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import type { RunsSearch } from "../search.ts";
import { RunsView } from "./RunsView.tsx";
import { useMinute, useServiceRuns } from "./useRunList.ts";

const KnownRuns = later(() => import("./KnownRuns.tsx"));

/** The runs that the service lists, else those that this browser knows, saying which. */
export function RunsPage({ search }: { search: RunsSearch }) {
  const canList = useCan("runs");
  if (canList) return <ServiceRuns search={search} />;
  return (
    <LazyPart fallback={<Coming />}>
      <KnownRuns search={search} />
    </LazyPart>
  );
}

/** The page, while the code for what this browser knows is on the way. */
function Coming() {
  return (
    <Page title="Runs" heading="Runs">
      <SkeletonRows label="Loading runs" rows={8} columns={["14px", "70px", "2fr", "2fr", "70px"]} />
    </Page>
  );
}

function ServiceRuns({ search }: { search: RunsSearch }) {
  return <RunsView search={search} list={useServiceRuns(search, useMinute())} isService />;
}
