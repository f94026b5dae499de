import { Link, useNavigate } from "@tanstack/react-router";
import Play from "lucide-react/icons/play";
import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { LaterDamage, LaterFailure, LaterStale } from "../../../lib/failure/later.tsx";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { LiveStatus, Page } from "../../../lib/page/Page.tsx";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { noPanel, phone, useMedia } from "../../../lib/useMedia.ts";
import { buttonClass } from "../../../ui/Button.tsx";
import { later } from "../../../ui/later.ts";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { usePerson } from "../../directory/index.ts";
import { runLength } from "../run-row.ts";
import { type RunsSearch, readRunsSearch } from "../search.ts";
import { scaleOf } from "../strip.ts";
import { RunsFoot } from "./RunsFoot.tsx";
import { RunsStrip } from "./RunsStrip.tsx";
import { RunsRows, RunsTable } from "./RunsTable.tsx";
import { RunsTools } from "./RunsTools.tsx";
import { RunSelection } from "./selection/run-selection.ts";
import { SelectionFoot, selectionShortcuts } from "./selection/SelectRuns.tsx";
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
  const [selection] = useState(() => new RunSelection());
  const isPhone = useMedia(phone);
  const hasNoPanel = useMedia(noPanel);
  const { rows, counts, query } = list;
  const now = api.serverClock.now();
  const scale = scaleOf(rows.map((run) => runLength(run, now) ?? 0).sort((a, b) => a - b));
  const selected = search.run;
  const moves = rows.some((run) => isMoving(run.state));

  const change = (part: Partial<Record<keyof RunsSearch, string | undefined>>) =>
    void navigate({ search: (old) => readRunsSearch({ ...old, ...part }), replace: true });
  const open = (runId: string) => void navigate({ to: "/runs/$runId", params: { runId } });
  const select = (runId: string) => (hasNoPanel ? open(runId) : change({ run: runId }));
  const step = (by: 1 | -1) => {
    const at = rows.findIndex((run) => run.runId === search.run);
    const next = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
    if (!next) return;
    change({ run: next.runId });
    document.querySelector(`[data-run="${CSS.escape(next.runId)}"]`)?.scrollIntoView({ block: "nearest" });
    return next.runId;
  };
  useShortcuts([
    ...selectionShortcuts(selection, search.run, step),
    { keys: "j", does: "Next run", run: () => step(1) },
    { keys: "k", does: "Previous run", run: () => step(-1) },
    { keys: "Enter", does: "Open the run", run: () => search.run !== undefined && open(search.run) },
    {
      keys: "Escape",
      does: "Clear the selection, or close the panel",
      run: () => selection.clear() || change({ run: undefined }),
    },
  ]);

  const isFirstRead = isService && query?.isPending === true;
  const hasFailed = isService && query?.isError === true && query.data === undefined;
  const isRead = !isFirstRead && !hasFailed;
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
            <RunPanel
              key={selected}
              runId={selected}
              rows={rows}
              onClose={() => change({ run: undefined })}
            />
          </LazyPart>
        ),
      })}
    >
      <RunsTools search={search} counts={counts} rows={rows} onChange={change} />
      {query && !hasFailed && <LaterStale query={query} />}
      <LaterDamage damage={list.damage} />
      {isFirstRead ? (
        <SkeletonRows
          label="Reading runs"
          rows={12}
          columns={isPhone ? ["14px", "2fr", "70px"] : ["14px", "70px", "2fr", "2fr", "70px", "120px"]}
        />
      ) : hasFailed ? (
        <LaterFailure
          error={query.error}
          what="The runs"
          onRetry={() => void query.refetch()}
          isRetrying={query.isRetrying}
        />
      ) : rows.length === 0 ? (
        <LazyPart>
          <NoRuns
            isFiltered={isFiltered}
            isService={isService}
            onClear={() => void navigate({ search: {} })}
          />
        </LazyPart>
      ) : (
        <>
          <RunsStrip runs={rows} isMoving={moves} selected={selected} onSelect={select} />
          {isPhone ? (
            <RunsRows runs={rows} selection={selection} />
          ) : (
            <RunsTable
              runs={rows}
              scale={scale}
              selected={search.run}
              onSelect={select}
              selection={selection}
              person={person}
            />
          )}
        </>
      )}
      <RunsFoot
        list={list}
        isRead={isRead}
        isService={isService}
        isFiltered={isFiltered}
        over={<SelectionFoot selection={selection} runs={rows} isRead={isRead} />}
      />
    </Page>
  );
}

function titleOf(search: RunsSearch, counts: { moving?: number }): string {
  const name = search.view === "failed" ? "Failed runs" : search.view === "moving" ? "Running" : "Runs";
  return counts.moving ? `${name} · ${counts.moving} running` : name;
}
