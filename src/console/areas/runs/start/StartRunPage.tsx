import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { SavedItem } from "../../../../contract/flows.ts";
import { describeState, runStates } from "../../../../contract/states.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { OpenById } from "../../../lib/OpenById.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { shownName } from "../../../lib/shownName.ts";
import { noPanel, useMedia } from "../../../lib/useMedia.ts";
import { useStore } from "../../../lib/useStore.ts";
import { cx } from "../../../ui/cx.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { flowQueries } from "../flow-queries.ts";
import type { StartSearch } from "../search.ts";
import { StartForm } from "./StartForm.tsx";

/** Choose a flow, see what each input will get, start it once. */
export function StartRunPage({ search }: { search: StartSearch }) {
  const api = useApi();
  const canList = useCan("saved_items");
  const options = flowQueries.list(api);
  const list = useQuery({ ...options, enabled: canList });
  const choices = useChoices(list.data?.data.saved_items);
  const isNarrow = useMedia(noPanel);
  const navigate = useNavigate();
  const chosen = search.flow;
  const flow = list.data?.data.saved_items?.find((one) => one.saved_item_id === chosen);
  const name = flow?.name ?? chosen;
  const isEmpty = chosen === undefined && list.data !== undefined && choices.length === 0;
  const showsList = !isEmpty && (!isNarrow || chosen === undefined);
  const byId = (
    // A flow that the list does not have can be started by its saved item id.
    <OpenById
      what="saved item"
      action="Choose"
      asks={{ why: isEmpty ? "Told an ID?" : "Not in the list?", words: "Start by saved item ID" }}
      onOpen={(flow) => void navigate({ to: "/runs/new", search: { flow } })}
    />
  );
  return (
    <Page
      title={name === undefined ? "Start a run" : `Start ${name}`}
      parents={[{ key: "runs", link: <Link to="/runs">Runs</Link> }]}
      heading="Start a run"
      live={canList && options.queryKey}
    >
      <div className="flex min-h-0 flex-1">
        {showsList && (
          <div className="flex shrink-0 flex-col border-r max-md:w-full max-md:border-r-0 md:w-64">
            <div className="min-h-0 flex-1 overflow-y-auto">
              {list.data ? (
                <FlowList flows={choices} selected={chosen} />
              ) : list.isError || !canList ? (
                <>
                  {canList && (
                    <Failure error={list.error} what="The flows" onRetry={() => void list.refetch()} />
                  )}
                  {(!canList || choices.length > 0) && <FlowList flows={choices} selected={chosen} />}
                </>
              ) : (
                <SkeletonRows label="Loading flows" rows={8} columns={["14px", "1fr"]} />
              )}
            </div>
            <div className="shrink-0 border-t px-edge-left py-2.5 text-muted text-secondary">{byId}</div>
          </div>
        )}
        {chosen !== undefined ? (
          <StartForm
            key={`${chosen} ${search.from ?? ""}`}
            flowId={chosen}
            flowName={flow?.name ?? null}
            description={flow?.description ?? null}
            from={search.from}
            isJson={search.as === "json"}
            isListed={flow !== undefined}
            isListRead={list.data !== undefined}
          />
        ) : isEmpty ? (
          <EmptyState title="No flows yet" actions={<div className="text-muted">{byId}</div>}>
            Flows are files in the workspace’s <code className="text-mono">flows</code> folder. To add one,
            put its file there and restart the service. You see your own flows and those of your teams.
          </EmptyState>
        ) : (
          <EmptyState title="Choose a flow" className="max-md:hidden">
            {choices.length > 0
              ? "Pick one on the left. You can check its inputs before it starts."
              : "No flows yet. Start one by its saved item ID, below the list."}
          </EmptyState>
        )}
      </div>
    </Page>
  );
}

/** The flows to choose from: those of the service, and those that were started from this browser. */
function useChoices(
  listed: readonly (Received<SavedItem> | null)[] | null | undefined,
): readonly FlowChoice[] {
  const { history } = useApi();
  const known = useStore(history.runs);
  return useMemo(() => {
    const choices = new Map<string, FlowChoice>();
    for (const flow of listed ?? []) {
      if (!flow?.saved_item_id) continue;
      const { saved_item_id: id, name, description } = flow;
      choices.set(id, { id, name: name || id, about: description || "no description", lastStarted: null });
    }
    for (const run of known) {
      if (run.savedItemId === null || run.provenance !== "started-here") continue;
      const choice = choices.get(run.savedItemId);
      if (choice?.lastStarted) continue; // newest first: an older start says nothing more
      // Where the service lists its flows, one that is no longer listed cannot be started.
      if (!choice && listed) continue;
      choices.set(run.savedItemId, {
        id: run.savedItemId,
        name: choice?.name ?? run.savedItemName ?? run.savedItemId,
        about: run.last
          ? `last ${describeState(runStates, run.last.state).word}`
          : (choice?.about ?? "started here"),
        lastStarted: run.knownAt,
      });
    }
    return [...choices.values()];
  }, [listed, known]);
}

interface FlowChoice {
  readonly id: string;
  readonly name: string;
  /** A line under the name: how its last run went, or what it is for. */
  readonly about: string;
  /** When this browser last started it, ms since 1970; null for never. */
  readonly lastStarted: number | null;
}

type Props = { flows: readonly FlowChoice[]; selected: string | undefined };

/** The flows that can be started: those started lately first. */
function FlowList({ flows, selected }: Props) {
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const shown = flows.filter((flow) =>
    `${flow.name} ${flow.id} ${flow.about}`.toLowerCase().includes(wanted),
  );
  const lately = shown
    .filter((flow) => flow.lastStarted !== null)
    .sort((a, b) => (b.lastStarted ?? 0) - (a.lastStarted ?? 0));
  const others = shown
    .filter((flow) => flow.lastStarted === null)
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <nav aria-label="Flows" className="flex h-full flex-col">
      <div className="p-3 pr-4 pl-edge-left">
        <SearchInput
          label="Search flows"
          placeholder={flows.length === 1 ? "1 flow" : `${flows.length} flows`}
          shortcut="/"
          data-page-search=""
          value={text}
          onText={setText}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Group name="You ran lately" flows={lately} selected={selected} />
        <Group name={lately.length > 0 ? "Others" : "All flows"} flows={others} selected={selected} />
        {shown.length === 0 && (
          <p className="px-edge-left py-2 text-muted">
            {flows.length === 0 ? "No flows yet." : `No flows match “${text.trim()}”.`}
          </p>
        )}
      </div>
    </nav>
  );
}

function Group({ name, flows, selected }: Props & { name: string }) {
  if (flows.length === 0) return null;
  return (
    <section className="pb-2">
      <h2 className="px-edge-left py-1.5 font-medium text-muted text-secondary">{name}</h2>
      <ul>
        {flows.map((flow) => {
          const isSelected = flow.id === selected;
          return (
            <li key={flow.id}>
              <Link
                to="/runs/new"
                search={{ flow: flow.id }}
                aria-current={isSelected ? "true" : undefined}
                className={cx(
                  "focus-inset block py-1.5 pr-4 pl-edge-left",
                  isSelected
                    ? "bg-surface-selected shadow-[inset_2px_0_var(--accent-solid)]"
                    : "hover:bg-surface-hover",
                )}
              >
                <span className={cx("block truncate", isSelected && "font-semibold")}>
                  {shownName(flow.name)}
                </span>
                <span className="block truncate text-muted text-secondary">{flow.about}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
