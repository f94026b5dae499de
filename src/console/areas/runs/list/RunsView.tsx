import { Link, useNavigate } from "@tanstack/react-router";
import Play from "lucide-react/icons/play";
import { useApi } from "../../../lib/api.tsx";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { isRead, TableList } from "../../../lib/list/ListView.tsx";
import { useRowSelection } from "../../../lib/list/RowSelection.ts";
import { useListKeys } from "../../../lib/list/useListKeys.ts";
import { LiveStatus, Page } from "../../../lib/page/Page.tsx";
import { isMoving } from "../../../lib/run-state.ts";
import { noPanel, useMedia } from "../../../lib/useMedia.ts";
import { counted } from "../../../lib/words.ts";
import { buttonClass } from "../../../ui/Button.tsx";
import { moveKeys, openKey, selectKey } from "../../../ui/Kbd.tsx";
import { later } from "../../../ui/later.ts";
import { usePerson } from "../../directory/index.ts";
import { useKillRequested } from "../kill.ts";
import { runLength } from "../run-row.ts";
import { type RunsSearch, readRunsSearch } from "../search.ts";
import { scaleOf } from "../strip.ts";
import { RunsStrip } from "./RunsStrip.tsx";
import { RunsTools } from "./RunsTools.tsx";
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
  const isFiltered = Object.entries(search).some(([key, value]) => key !== "run" && value !== undefined);
  return (
    <Page
      title={titleOf(search, counts)}
      heading="Runs"
      live={query && <LiveStatus queryKey={query.queryKey} />}
      actions={
        <Link to="/runs/new" className={buttonClass("primary")} aria-label="Start a run">
          <Play />
          <span className="max-sm:hidden">Start a run</span>
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
          rowClass:
            "scroll-mt-8 scroll-mb-24 has-checked:bg-surface-selected has-checked:[&>td:first-child]:shadow-[inset_2px_0_var(--accent-solid)]",
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
  if (more) return `Newest ${runs}`;
  return isFiltered ? `${runs} matching` : `${rows.length > 1 ? "Showing all " : ""}${runs}`;
}

function titleOf(search: RunsSearch, counts: { moving?: number }): string {
  const name = search.view === "failed" ? "Failed runs" : search.view === "moving" ? "Running" : "Runs";
  return counts.moving ? `${name} · ${counts.moving} running` : name;
}
