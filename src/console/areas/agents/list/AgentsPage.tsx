import { Link, useNavigate } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import { createAgent, listAgents } from "../../../../contract/agents.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { curlOfCall } from "../../../lib/curl.ts";
import { ListSelect } from "../../../lib/list/ListSelect.tsx";
import { ListTools } from "../../../lib/list/ListTools.tsx";
import { TableList } from "../../../lib/list/ListView.tsx";
import { NoMatches } from "../../../lib/list/NoMatches.tsx";
import { useListKeys } from "../../../lib/list/useListKeys.ts";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { noPanel, useMedia } from "../../../lib/useMedia.ts";
import { counted } from "../../../lib/words.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { moveKeys } from "../../../ui/Kbd.tsx";
import { Tab, TabBar } from "../../../ui/Tabs.tsx";
import { type AgentIn, useAgentNews } from "../../directory/index.ts";
import { credentialWords, useSignedIn } from "../../session/index.ts";
import { useIsOffered } from "../models.ts";
import { type AgentOrder, type AgentsSearch, readAgentsSearch } from "../search.ts";
import { AgentPanel } from "./AgentPanel.tsx";
import { agentColumns, PhoneRow } from "./agent-columns.tsx";
import { NewConversation } from "./NewConversation.tsx";
import { groupAgents, isOf, useAgentList } from "./useAgentList.ts";

/** Which agent, is it well, talk to it. */
export function AgentsPage({ search }: { search: AgentsSearch }) {
  const navigate = useNavigate({ from: "/agents/" });
  const list = useAgentList(search);
  const { agents, query, more } = list;
  const as = useSignedIn();
  const canCreate = useCan("agent_create");
  useAgentNews(null);
  const groups = groupAgents(agents, as.teams ?? []);
  const rows = groups.flatMap((group) => group.rows);
  const isOffered = useIsOffered();
  const hasNoPanel = useMedia(noPanel);
  const selected = search.agent;

  const change = (part: Partial<Record<keyof AgentsSearch, string | undefined>>) =>
    void navigate({ search: (old) => readAgentsSearch({ ...old, ...part }), replace: true });
  const open = (agentId: string) => void navigate({ to: "/agents/$agentId", params: { agentId } });
  const pick = (agentId: string) => (hasNoPanel ? open(agentId) : change({ agent: agentId }));
  const close = () => change({ agent: undefined });
  // Whoever was asked with which agent comes back to where they came from, not to the question.
  const begin = (agentId: string) =>
    void navigate({
      to: "/agents/$agentId/conversations/new",
      params: { agentId },
      replace: search.conversation === true,
    });
  useListKeys({
    noun: "agent",
    ids: rows.map(({ id }) => id),
    current: selected,
    onMove: (agent) => change({ agent }),
    onOpen: open,
    onClose: close,
  });

  const isFiltered = search.q !== undefined || search.of !== undefined;
  return (
    <Page
      title={search.q === undefined ? "Agents" : `“${search.q}” · Agents`}
      heading="Agents"
      live={query.queryKey}
      actions={
        <>
          {canCreate && (
            <LinkButton to="/agents/new">
              <Plus />
              <span>New agent</span>
            </LinkButton>
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
          <AgentPanel
            key={selected}
            agentId={selected}
            summary={rows.find((agent) => agent.id === selected)}
            onClose={close}
          />
        ),
      })}
    >
      <AgentsTools search={search} all={list.all} onChange={change} />
      <TableList
        list={list}
        what="The agents"
        table={{
          label: "Agents",
          columns: agentColumns({
            isOffered,
            sort: search.sort ?? "name_asc",
            onSort: (sort) => change({ sort }),
          }),
          groups,
          idOf: ({ id }) => id,
          isSelected: ({ id }) => id === selected,
          onRow: ({ id }) => pick(id),
        }}
        phone={(agent) => <PhoneRow agent={agent} isOffered={isOffered} />}
        empty={<NoAgents isFiltered={isFiltered} onClear={() => void navigate({ search: {} })} />}
        foot={footWords(agents.length, { hasMore: more !== null, isFiltered })}
        keys={[moveKeys, { keys: ["n"], does: "new conversation" }]}
        moreLabel="Show more"
      />
    </Page>
  );
}

function footWords(
  count: number,
  { hasMore, isFiltered }: Record<"hasMore" | "isFiltered", boolean>,
): string {
  const agents = counted(count, "agent");
  if (hasMore) return `First ${agents}`;
  return isFiltered
    ? `${agents} matching`
    : `${count > 1 ? "Showing all " : ""}${agents}, without retired ones`;
}

/** Why there are no agents, and the next step. */
function NoAgents({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const api = useApi();
  const as = useSignedIn();
  const canMake = useCan("agent_create");
  if (isFiltered) {
    return (
      <NoMatches what="agents" more={null} onClear={onClear}>
        Try other words or another tab.
      </NoMatches>
    );
  }
  return (
    <EmptyState
      title="No agents yet"
      actions={canMake && <LinkButton to="/agents/new">New agent</LinkButton>}
      curl={
        canMake
          ? curlOfCall(api, createAgent, { body: { name: "My agent", model_name: "builtin/offline" } })
          : curlOfCall(api, listAgents, {})
      }
    >
      {as.credential.kind === "team" ? "Your team’s agents" : "Your agents and your teams’ agents"} appear
      here. {canMake ? "Create the first one with the button or this command." : "This command lists them."}{" "}
      Signed in with <strong>{credentialWords(as)}</strong>.
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
        <TabBar label="Agents by owner" className="shrink-0 pr-edge-right pl-edge-left">
          {tabs.map(({ of, name }) => (
            <Tab
              key={of ?? "all"}
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
      <ListTools
        search={{
          label: "Search agents",
          placeholder: "Names and descriptions",
          q: search.q,
          onSearch: (q) => onChange({ q }),
        }}
      >
        <ListSelect
          label="Order"
          className="max-sm:w-[118px]"
          value={search.sort ?? "name_asc"}
          options={Object.entries(orderWords)}
          onChange={(sort) => onChange({ sort })}
        />
      </ListTools>
    </>
  );
}
