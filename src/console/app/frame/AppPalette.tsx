import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import CalendarX from "lucide-react/icons/calendar-x";
import Play from "lucide-react/icons/play";
import TextSearch from "lucide-react/icons/text-search";
import { useState } from "react";
import { describeState, runStates } from "../../../contract/states.ts";
import { flowQueries } from "../../areas/runs/flow-queries.ts";
import { rowOfHistory } from "../../areas/runs/known-row.ts";
import { runQueries } from "../../areas/runs/queries.ts";
import { firstInputs, type RunRow, rowOfService, runName } from "../../areas/runs/run-row.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { Ago } from "../../lib/time/Time.tsx";
import { useStore } from "../../lib/useStore.ts";
import { StateShape } from "../../ui/State.tsx";
import { nav } from "./nav.tsx";
import Palette, { type PaletteItem } from "./Palette.tsx";
import { useActionItems, useAgentItems, useArtifactItems, usePlaceItems } from "./palette-items.tsx";
import { useConversationItems } from "./useConversationItems.tsx";

type Props = {
  /** What was typed while it was on its way. */
  typed: string;
  onClose: () => void;
};

/** The palette over what there is: pages, agents, flows, conversations, runs, artifacts, servers, sources, actions. */
export default function AppPalette({ typed, onClose }: Props) {
  const api = useApi();
  const navigate = useNavigate();
  const [text, setText] = useState(typed);
  const flows = useQuery({ ...flowQueries.list(api), enabled: useCan("saved_items") });
  const listed = useQuery({ ...runQueries.list(api), enabled: useCan("runs") });
  const known = useStore(api.history.runs);
  const canRetention = useCan("retention");
  const rows = new Map<string, RunRow>();
  for (const run of listed.data?.data.runs ?? []) {
    const row = rowOfService(run);
    if (row) rows.set(row.runId, row);
  }
  for (const run of known) {
    const row = rowOfHistory(run, api.who.userId);
    if (row && !rows.has(row.runId)) rows.set(row.runId, row);
  }
  const agents = useAgentItems();
  const conversations = useConversationItems(text);
  const artifacts = useArtifactItems();
  const places = usePlaceItems();
  const actions = useActionItems();
  const toRun = (runId: string) => void navigate({ to: "/runs/$runId", params: { runId } });

  const items: PaletteItem[] = [
    ...nav.map((entry) => ({
      id: `page ${entry.to}`,
      group: "Pages",
      icon: entry.icon,
      name: entry.label,
      run: () => void navigate({ to: entry.to }),
    })),
    {
      id: "page /search",
      group: "Pages",
      icon: <TextSearch />,
      name: "Search everywhere",
      run: () => void navigate({ to: "/search" }),
    },
    {
      id: "page /runs/new",
      group: "Pages",
      icon: <Play />,
      name: "Start a run",
      run: () => void navigate({ to: "/runs/new" }),
    },
    ...(canRetention
      ? [
          {
            id: "page /retention",
            group: "Pages",
            icon: <CalendarX />,
            name: "Retention",
            run: () => void navigate({ to: "/retention" }),
          },
        ]
      : []),
    ...agents,
    ...conversations,
    ...(flows.data?.data.saved_items ?? []).flatMap((flow) =>
      flow.saved_item_id
        ? [
            {
              id: `flow ${flow.saved_item_id}`,
              group: "Start",
              icon: <Play />,
              name: flow.name ?? flow.saved_item_id,
              detail: flow.description ?? "",
              run: () => void navigate({ to: "/runs/new", search: { flow: flow.saved_item_id ?? "" } }),
            },
          ]
        : [],
    ),
    ...[...rows.values()].map((run) => ({
      id: `run ${run.runId}`,
      group: "Runs",
      icon: <StateShape tone={describeState(runStates, run.state).tone} />,
      name: runName(run),
      detail: [firstInputs(run.inputs), run.runId].filter(Boolean).join(" · "),
      aside: <Ago at={run.createdTs} />,
      run: () => toRun(run.runId),
    })),
    ...artifacts,
    ...places,
    ...actions,
  ];
  return (
    <Palette
      items={items}
      text={text}
      onText={setText}
      onEverywhere={(q) => void navigate({ to: "/search", search: q === "" ? {} : { q } })}
      onClose={onClose}
    />
  );
}
