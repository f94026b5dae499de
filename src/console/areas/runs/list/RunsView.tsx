import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import Play from "lucide-react/icons/play";
import { runStates } from "../../../../contract/states.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { FilterChip, type FilterOption } from "../../../lib/filter/FilterChip.tsx";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { ListTools } from "../../../lib/list/ListTools.tsx";
import { isRead, TableList } from "../../../lib/list/ListView.tsx";
import { useRowSelection } from "../../../lib/list/RowSelection.ts";
import { useListKeys } from "../../../lib/list/useListKeys.ts";
import { Page } from "../../../lib/page/Page.tsx";
import { isMoving } from "../../../lib/run-state.ts";
import { noPanel, useMedia } from "../../../lib/useMedia.ts";
import { counted } from "../../../lib/words.ts";
import { buttonClass } from "../../../ui/Button.tsx";
import { moveKeys, openKey, selectKey } from "../../../ui/Kbd.tsx";
import { later } from "../../../ui/later.ts";
import { Tab, TabBar } from "../../../ui/Tabs.tsx";
import { usePerson } from "../../directory/index.ts";
import { flowQueries } from "../flow-queries.ts";
import { useKillRequested } from "../kill.ts";
import { type RunRow, runLength, runName } from "../run-row.ts";
import { type RunsSearch, readRunsSearch } from "../search.ts";
import { scaleOf } from "../strip.ts";
import { isNarrowed } from "./filters.ts";
import { RunsStrip } from "./RunsStrip.tsx";
import { PhoneRow, runColumns } from "./run-columns.tsx";
import { SelectionFoot, toActions } from "./selection/SelectRuns.tsx";
import type { RunList } from "./useRunList.ts";

const NoRuns = later(() => import("./NoRuns.tsx"));
const RunPanel = later(() => import("./RunPanel.tsx"));

type Props = {
  search: RunsSearch;
  list: RunList;
  /** The service lists its runs; otherwise these are what this browser knows. */
  isService: boolean;
};

/** The runs list: is anything wrong, and is it one cause? */
export function RunsView({ search, list, isService }: Props) {
  const api = useApi();
  const navigate = useNavigate({ from: "/runs/" });
  const person = usePerson();
  const hasNoPanel = useMedia(noPanel);
  const { rows, counts, query } = list;
  const ids = rows.map(({ runId }) => runId);
  const selection = useRowSelection(ids, isRead(list));
  const killed = useKillRequested();
  const now = api.serverClock.now();
  const scale = scaleOf(rows.map((run) => runLength(run, now) ?? 0).sort((a, b) => a - b));
  const selected = search.run;

  const change = (part: Partial<Record<keyof RunsSearch, string | undefined>>) =>
    void navigate({ search: (old) => readRunsSearch({ ...old, ...part }), replace: true });
  const open = (runId: string) => void navigate({ to: "/runs/$runId", params: { runId } });
  const select = (runId: string) => (hasNoPanel ? open(runId) : change({ run: runId }));
  const close = () => change({ run: undefined });
  useListKeys({
    noun: "run",
    ids,
    current: selected,
    selection,
    onMove: (runId) => change({ run: runId }),
    onOpen: open,
    onClose: close,
    others: [toActions],
  });
  const isFiltered = isNarrowed(search);
  return (
    <Page
      title={titleOf(search, counts.moving, rows)}
      heading="Runs"
      live={query?.queryKey}
      actions={
        // Of the first page of all, which gets on without the code of LinkButton.
        <Link to="/runs/new" className={buttonClass("primary")}>
          <Play />
          <span>Start a run</span>
        </Link>
      }
      panelLabel="The selected run"
      {...(selected !== undefined && {
        panel: (
          <LazyPart>
            <RunPanel key={selected} runId={selected} rows={rows} onClose={close} />
          </LazyPart>
        ),
      })}
    >
      <RunsTools search={search} counts={counts} rows={rows} onChange={change} />
      <TableList
        list={list}
        what="The runs"
        table={{
          label: "Runs",
          columns: runColumns({ runs: rows, scale, selection, killed, person }),
          rows,
          idOf: ({ runId }) => runId,
          isSelected: ({ runId }) => runId === selected,
          onRow: ({ runId }, { shiftKey }) => (shiftKey ? selection.extendTo(runId) : select(runId)),
          rowClass: "selectable-row",
        }}
        above={
          <RunsStrip
            runs={rows}
            isMoving={rows.some((run) => isMoving(run.state))}
            selected={selected}
            onSelect={select}
          />
        }
        phone={(run) => <PhoneRow run={run} selection={selection} isKillRequested={killed.has(run.runId)} />}
        empty={
          <LazyPart>
            <NoRuns
              isFiltered={isFiltered}
              isService={isService}
              more={list.more}
              onClear={() => void navigate({ search: {} })}
            />
          </LazyPart>
        }
        foot={footWords(list, isService, isFiltered)}
        keys={[moveKeys, openKey, selectKey]}
        over={<SelectionFoot selection={selection} runs={rows} />}
      />
    </Page>
  );
}

/** What the list holds, from whom, and what it leaves out. */
function footWords({ rows, more }: RunList, isService: boolean, isFiltered: boolean): string {
  const runs = counted(rows.length, "run");
  if (!isService) return `${runs} in local history. This service does not list runs started elsewhere`;
  if (more) return rows.length > 0 ? `Newest ${runs}` : "";
  return isFiltered ? `${runs} matching` : `${rows.length > 1 ? "Showing all " : ""}${runs}`;
}

/** What the list is narrowed to stands first: a tab has room for little more. */
function titleOf(search: RunsSearch, moving: number | undefined, [run]: readonly RunRow[]): string {
  const chosen = [search.state, search.started, search.view];
  return [
    search.q && `“${search.q}”`,
    search.flow && run && runName(run),
    ...[...stateOptions, ...spanOptions, ...tabs].map(({ value, label }) => chosen.includes(value) && label),
    "Runs",
    moving && `${moving} running`,
  ]
    .filter(Boolean)
    .join(" · ");
}

type ViewName = NonNullable<RunsSearch["view"]>;

type RunsToolsProps = {
  search: RunsSearch;
  counts: Partial<Record<ViewName, number>>;
  rows: readonly RunRow[];
  onChange: (part: Partial<Record<keyof RunsSearch, string | undefined>>) => void;
};

const tabs: readonly { value: ViewName; label: string }[] = [
  { value: "all", label: "All" },
  { value: "moving", label: "Running" },
  { value: "failed", label: "Failed, last 24 h" },
  { value: "mine", label: "Mine" },
];
const spanOptions = [
  { value: "1h", label: "last hour" },
  { value: "24h", label: "last 24 h" },
  { value: "7d", label: "last 7 days" },
];
const stateOptions = Object.entries(runStates).map(([value, { title }]) => ({ value, label: title }));

/** Tabs and filters of the runs list; all of them stand in the address. */
function RunsTools({ search, counts, rows, onChange }: RunsToolsProps) {
  const flows = useFlowNames(rows);
  const current = search.view ?? "all";
  const chip = (key: "started" | "state" | "flow", name: string, options: readonly FilterOption[]) => (
    <FilterChip
      name={name}
      value={search[key]}
      options={options}
      isByLabel={key === "flow"}
      onChange={(value) => onChange({ [key]: value })}
    />
  );
  return (
    <>
      <TabBar label="Views" className="shrink-0 pr-edge-right pl-edge-left">
        {tabs.map(({ value: view, label }) => (
          <Tab
            key={view}
            isActive={view === current}
            count={view === "mine" ? undefined : counts[view]}
            isTrouble={view === "failed" && (counts.failed ?? 0) > 0}
          >
            <Link to="/runs" search={{ ...search, run: undefined, view: view === "all" ? undefined : view }}>
              {label}
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
  return [...names].map(([value, label]) => ({ value, label }));
}
