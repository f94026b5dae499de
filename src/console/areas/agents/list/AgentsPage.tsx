import { Link, useNavigate } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import { useCan } from "../../../lib/api/useCan.ts";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { LiveStatus } from "../../../lib/page/LiveStatus.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { noPanel, phone, useMedia } from "../../../lib/useMedia.ts";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { moveKeys } from "../../../ui/KeyHints.tsx";
import { later } from "../../../ui/later.ts";
import { PageFoot } from "../../../ui/PageFoot.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { useAgentNews } from "../../directory/index.ts";
import { useSignedIn } from "../../session/index.ts";

import { type AgentsSearch, readAgentsSearch } from "../search.ts";
import { useAgentList } from "../useAgentList.ts";
import { AgentsRows } from "./AgentsRows.tsx";
import { AgentsTable } from "./AgentsTable.tsx";
import { AgentsTools } from "./AgentsTools.tsx";
import { groupAgents } from "./groups.ts";
import { NewConversation } from "./NewConversation.tsx";
import { NoAgents } from "./NoAgents.tsx";

const AgentPanel = later(() => import("./AgentPanel.tsx"));

/** Which agent, is it well, talk to it. */
export function AgentsPage({ search }: { search: AgentsSearch }) {
  const navigate = useNavigate({ from: "/agents/" });
  const list = useAgentList(search);
  const { agents, query } = list;
  const as = useSignedIn();
  const canCreate = useCan("agent_create");
  useAgentNews(null);
  const groups = groupAgents(agents, as.teams ?? []);
  const rows = groups.flatMap((group) => group.agents);
  const isPhone = useMedia(phone);
  const hasNoPanel = useMedia(noPanel);
  const selected = search.agent;

  const change = (part: Partial<Record<keyof AgentsSearch, string | undefined>>) =>
    void navigate({ search: (old) => readAgentsSearch({ ...old, ...part }), replace: true });
  const open = (agentId: string) => void navigate({ to: "/agents/$agentId", params: { agentId } });
  const pick = (agentId: string) => (hasNoPanel ? open(agentId) : change({ agent: agentId }));
  const step = (by: 1 | -1) => {
    const at = rows.findIndex((agent) => agent.id === selected);
    const next = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
    if (!next) return;
    change({ agent: next.id });
    document.querySelector(`[data-agent="${CSS.escape(next.id)}"]`)?.scrollIntoView({ block: "nearest" });
  };
  // Whoever was asked with which agent comes back to where they came from, not to the question.
  const talk = (agentId: string) =>
    void navigate({
      to: "/agents/$agentId/conversations/new",
      params: { agentId },
      replace: search.talk === true,
    });
  useShortcuts([
    { keys: "j", does: "Next agent", run: () => step(1) },
    { keys: "k", does: "Previous agent", run: () => step(-1) },
    { keys: "Enter", does: "Open the agent", run: () => selected !== undefined && open(selected) },
    { keys: "Escape", does: "Close the panel", run: () => change({ agent: undefined }) },
  ]);

  const hasFailed = query.isError && query.data === undefined;
  const isFiltered = search.q !== undefined || search.of !== undefined;
  return (
    <Page
      title="Agents"
      heading="Agents"
      live={<LiveStatus queryKey={query.queryKey} />}
      actions={
        <>
          {canCreate && (
            <Link to="/agents/new" aria-label="New agent" className={buttonClass("plain")}>
              <Plus className="sm:hidden" />
              <span className="max-sm:hidden">New agent</span>
            </Link>
          )}
          <NewConversation
            isEmpty={query.data !== undefined && agents.length === 0 && !isFiltered}
            selected={selected}
            isAsked={search.talk === true}
            onAsk={(isAsked) =>
              void navigate({
                search: (old) => readAgentsSearch({ ...old, talk: isAsked }),
                replace: !isAsked,
              })
            }
            onPick={talk}
          />
        </>
      }
      panelLabel="The selected agent"
      {...(selected !== undefined && {
        panel: (
          <LazyPart>
            <AgentPanel
              key={selected}
              agentId={selected}
              summary={rows.find((agent) => agent.id === selected)}
              onClose={() => change({ agent: undefined })}
            />
          </LazyPart>
        ),
      })}
    >
      <AgentsTools search={search} all={list.all} onChange={change} />
      {!hasFailed && <Stale query={query} />}
      <Damage damage={list.damage} />
      {query.isPending ? (
        <SkeletonRows label="Reading agents" rows={8} columns={["20px", "2fr", "1fr", "1fr", "60px"]} />
      ) : hasFailed ? (
        <Failure
          error={query.error}
          what="The agents"
          onRetry={() => void query.refetch()}
          isRetrying={query.isRetrying}
        />
      ) : agents.length === 0 ? (
        <NoAgents isFiltered={isFiltered} onClear={() => void navigate({ search: {} })} />
      ) : isPhone ? (
        <AgentsRows groups={groups} />
      ) : (
        <AgentsTable
          groups={groups}
          selected={selected}
          sort={search.sort ?? "name_asc"}
          onSort={(sort) => change({ sort })}
          onSelect={pick}
        />
      )}
      <PageFoot
        keys={[moveKeys, { keys: ["n"], does: "new conversation" }]}
        more={list.more && { label: "Show more", ...list.more }}
      >
        {query.data !== undefined && footWords(agents.length, list.more !== null, isFiltered)}
      </PageFoot>
    </Page>
  );
}

function footWords(count: number, hasMore: boolean, isFiltered: boolean): string {
  const agents = count === 1 ? "1 agent" : `${count} agents`;
  if (hasMore) return `The first ${agents}; there are more`;
  return isFiltered
    ? `${agents} matching`
    : `${count > 1 ? "Showing all " : ""}${agents}; retired ones are not listed`;
}
