import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import ListFilter from "lucide-react/icons/list-filter";
import { useState } from "react";
import { runStates } from "../../../../contract/states.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { FilterChip } from "../../../lib/filter/FilterChip.tsx";
import { PageSearch } from "../../../lib/paging/PageSearch.tsx";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { IconButton } from "../../../ui/Button.tsx";
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
  { view: "all", name: "All known" },
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
  const isPhone = useMedia(phone);
  const [isOpen, setOpen] = useState(false);
  // On phones search and range stay, the others stand behind one button unless they are set.
  const showsAll = !isPhone || isOpen || search.state !== undefined || search.flow !== undefined;
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
      <div className="flex min-h-filters shrink-0 flex-wrap items-center gap-1.5 py-2 pr-edge-right pl-edge-left">
        <PageSearch
          label="Search runs"
          placeholder="Ids, flows, input values"
          className="w-60 max-sm:flex-1"
          q={search.q}
          onSearch={(q) => onChange({ q })}
        />
        <FilterChip
          name="Started"
          value={search.started}
          options={spanOptions}
          onChange={(started) => onChange({ started })}
        />
        {isPhone && !showsAll && (
          <IconButton size="small" variant="plain" label="More filters" onClick={() => setOpen(true)}>
            <ListFilter />
          </IconButton>
        )}
        {showsAll && (
          <>
            <FilterChip
              name="State"
              value={search.state}
              options={stateOptions}
              onChange={(state) => onChange({ state })}
            />
            <FilterChip
              name="Flow"
              value={search.flow}
              options={flows}
              onChange={(flow) => onChange({ flow })}
            />
          </>
        )}
      </div>
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
