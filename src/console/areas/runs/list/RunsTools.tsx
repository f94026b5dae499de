import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { runStates } from "../../../../contract/states.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { FilterChip, type FilterOption } from "../../../lib/filter/FilterChip.tsx";
import { ListTools } from "../../../lib/list/ListTools.tsx";
import { Tab, TabBar } from "../../../ui/Tabs.tsx";
import { flowQueries } from "../flow-queries.ts";
import { type RunRow, runName } from "../run-row.ts";
import type { RunsSearch, RunsView } from "../search.ts";

type Props = {
  search: RunsSearch;
  counts: Partial<Record<RunsView, number>>;
  rows: readonly RunRow[];
  onChange: (part: Partial<Record<keyof RunsSearch, string | undefined>>) => void;
};

const tabs: readonly { view: RunsView; name: string }[] = [
  { view: "all", name: "All" },
  { view: "moving", name: "Running" },
  { view: "failed", name: "Failed, last 24 h" },
  { view: "mine", name: "Mine" },
];
const spanOptions = [
  { value: "1h", label: "last hour" },
  { value: "24h", label: "last 24 h" },
  { value: "7d", label: "last 7 days" },
];
const stateOptions = Object.entries(runStates).map(([value, { title }]) => ({ value, label: title }));

/** Tabs and filters of the runs list; all of them stand in the address. */
export function RunsTools({ search, counts, rows, onChange }: Props) {
  const flows = useFlowNames(rows);
  const current = search.view ?? "all";
  const chip = (key: "started" | "state" | "flow", name: string, options: readonly FilterOption[]) => (
    <FilterChip
      name={name}
      value={search[key]}
      options={options}
      onChange={(value) => onChange({ [key]: value })}
    />
  );
  return (
    <>
      <TabBar label="Views" className="shrink-0 pr-edge-right pl-edge-left">
        {tabs.map(({ view, name }) => (
          <Tab
            key={view}
            asChild
            isActive={view === current}
            count={view === "mine" ? undefined : counts[view]}
            isTrouble={view === "failed" && (counts.failed ?? 0) > 0}
          >
            <Link to="/runs" search={{ ...search, run: undefined, view: view === "all" ? undefined : view }}>
              {name}
            </Link>
          </Tab>
        ))}
      </TabBar>
      <ListTools
        search={{
          label: "Search runs",
          placeholder: "IDs, flows, input values",
          q: search.q,
          onSearch: (q) => onChange({ q }),
        }}
        isFiltered={search.state !== undefined || search.flow !== undefined}
        filters={
          <>
            {chip("state", "State", stateOptions)}
            {chip("flow", "Flow", flows)}
          </>
        }
      >
        {chip("started", "Started", spanOptions)}
      </ListTools>
    </>
  );
}

/** The flows to filter by: those that the service lists, else those that runs here name. */
function useFlowNames(rows: readonly RunRow[]) {
  const flows = useQuery({ ...flowQueries.list(useApi()), enabled: useCan("saved_items") });
  const names = new Map<string, string>();
  for (const flow of flows.data?.data.saved_items ?? []) {
    if (flow.saved_item_id) names.set(flow.saved_item_id, flow.name ?? flow.saved_item_id);
  }
  for (const run of rows)
    if (run.flowId !== null && !names.has(run.flowId)) names.set(run.flowId, runName(run));
  return [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label));
}
