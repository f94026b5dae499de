import { Link, useNavigate } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import { useApi, useCan } from "../../../lib/api.tsx";
import { curlOf } from "../../../lib/curl.ts";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { LiveStatus, Page } from "../../../lib/page/Page.tsx";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { PageSearch } from "../../../lib/paging/PageSearch.tsx";
import { noPanel, phone, useMedia } from "../../../lib/useMedia.ts";
import { counted } from "../../../lib/words.ts";
import { Button, buttonClass } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { NativeSelect } from "../../../ui/Field.tsx";
import { moveKeys } from "../../../ui/Kbd.tsx";
import { later } from "../../../ui/later.ts";
import { PageFoot } from "../../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { Tab, TabBar } from "../../../ui/Tabs.tsx";
import { type AgentIn, useAgentNews } from "../../directory/index.ts";
import { credentialWords, useSignedIn } from "../../session/index.ts";
import { type AgentOrder, type AgentsSearch, readAgentsSearch } from "../search.ts";
import { AgentsRows, AgentsTable } from "./AgentsTable.tsx";
import { NewConversation } from "./NewConversation.tsx";
import { groupAgents, isOf, useAgentList } from "./useAgentList.ts";

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
  const begin = (agentId: string) =>
    void navigate({
      to: "/agents/$agentId/conversations/new",
      params: { agentId },
      replace: search.conversation === true,
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
            isAsked={search.conversation === true}
            onAsk={(isAsked) =>
              void navigate({
                search: (old) => readAgentsSearch({ ...old, conversation: isAsked }),
                replace: !isAsked,
              })
            }
            onPick={begin}
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
  const agents = counted(count, "agent");
  if (hasMore) return `The first ${agents}; there are more`;
  return isFiltered
    ? `${agents} matching`
    : `${count > 1 ? "Showing all " : ""}${agents}; retired ones are not listed`;
}

/** Why there are no agents, and the next step. */
function NoAgents({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const api = useApi();
  const as = useSignedIn();
  const canMake = useCan("agent_create");
  if (isFiltered) {
    return (
      <EmptyState title="No matching agents" actions={<Button onClick={onClear}>Show all agents</Button>}>
        There are none with these words, or in this tab.
      </EmptyState>
    );
  }
  const url = new URL(`${api.base}/agents`, location.href).href;
  return (
    <EmptyState
      title="No agents yet"
      actions={
        canMake && (
          <Link to="/agents/new" className={buttonClass("plain")}>
            New agent
          </Link>
        )
      }
      curl={
        canMake
          ? curlOf({ method: "POST", url, body: { name: "My agent", model_name: "builtin/offline" } })
          : curlOf({ method: "GET", url })
      }
    >
      The service lists none for <strong>{credentialWords(as)}</strong>. Your own agents and those of your
      teams appear here;{" "}
      {canMake ? "the button or this line makes the first one." : "this line asks the service for them."}
    </EmptyState>
  );
}

type Props = {
  search: AgentsSearch;
  /** Every agent, to count; null where not all are read. */
  all: readonly AgentIn[] | null;
  onChange: (part: Partial<Record<keyof AgentsSearch, string | undefined>>) => void;
};

const orderWords: Record<AgentOrder, string> = {
  name_asc: "Name, A–Z",
  name_desc: "Name, Z–A",
  newest: "Newest first",
  oldest: "Oldest first",
};

/** Tabs (mine, each team), search and order of the agents list; all of them stand in the address. */
function AgentsTools({ search, all, onChange }: Props) {
  const { teams, credential } = useSignedIn();
  const tabs = [
    { of: undefined, name: "All" },
    ...(credential.kind === "team" ? [] : [{ of: "mine", name: "Mine" }]),
    ...(teams ?? []).map((team) => ({ of: team.id, name: team.name })),
  ];
  return (
    <>
      {tabs.length > 1 && (
        <TabBar label="Whose agents" className="shrink-0 pr-edge-right pl-edge-left">
          {tabs.map(({ of, name }) => (
            <Tab
              key={of ?? "all"}
              asChild
              isActive={search.of === of}
              count={all?.filter((agent) => isOf(agent, of)).length}
            >
              <Link to="/agents" search={{ ...search, agent: undefined, of }}>
                {name}
              </Link>
            </Tab>
          ))}
        </TabBar>
      )}
      <div className="flex min-h-filters shrink-0 flex-wrap items-center gap-1.5 py-2 pr-edge-right pl-edge-left">
        <PageSearch
          label="Search agents"
          placeholder="Names and descriptions"
          className="w-60 max-sm:flex-1"
          q={search.q}
          onSearch={(q) => onChange({ q })}
        />
        <NativeSelect
          look="small"
          aria-label="Order"
          className="max-sm:w-[118px]"
          value={search.sort ?? "name_asc"}
          onChange={(event) => onChange({ sort: event.target.value })}
        >
          {Object.entries(orderWords).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </NativeSelect>
      </div>
    </>
  );
}
