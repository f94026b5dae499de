import { Link, useNavigate } from "@tanstack/react-router";
import { isNotFound } from "../../../api/errors.ts";
import { agentQueries } from "../../../api/queries/agents.ts";
import { useApi } from "../../../components/api-context.tsx";
import { AgentMissing } from "../../../components/conversation/AgentMissing.tsx";
import { Damage } from "../../../components/failure/Damage.tsx";
import { Failure } from "../../../components/failure/Failure.tsx";
import { Stale } from "../../../components/failure/Stale.tsx";
import { LiveStatus } from "../../../components/frame/LiveStatus.tsx";
import { Page } from "../../../components/frame/Page.tsx";
import { useShortcuts } from "../../../components/frame/shortcuts.ts";
import { useRead } from "../../../components/useRead.ts";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { Tab, TabBar } from "../../../ui/Tabs.tsx";
import { type AgentSearch, type AgentTab, agentTabs } from "../search.ts";
import { useConversations } from "../useConversations.ts";
import { agentName } from "../words.ts";
import { AgentHeader } from "./AgentHeader.tsx";
import { Configuration } from "./Configuration.tsx";
import { ConversationList } from "./ConversationList.tsx";
import { useFilters } from "./useFilters.ts";

const titles: Record<AgentTab, string> = { conversations: "Conversations", configuration: "Configuration" };

/** One agent: its conversations, and its configuration to read. */
export function AgentPage({ agentId, search }: { agentId: string; search: AgentSearch }) {
  const navigate = useNavigate({ from: "/agents/$agentId/" });
  const options = agentQueries.one(useApi(), agentId);
  const read = useRead(options);
  const agent = read.data?.data.agent;
  const name = agentName({ id: agentId, name: agent?.name });
  const tab = search.tab ?? "conversations";
  const conversations = useConversations(agentId, useFilters(search));
  const isList = tab === "conversations";
  const toNew = { to: "/agents/$agentId/conversations/new", params: { agentId } } as const;
  useShortcuts([{ keys: "n", does: "New conversation", run: () => void navigate(toNew) }]);

  const isUnfiltered = search.q === undefined && search.state === undefined;
  const counts: Partial<Record<AgentTab, number>> =
    isUnfiltered && !conversations.hasMore && !conversations.isFirstRead
      ? { conversations: conversations.lines.length }
      : {};
  return (
    <Page
      title={isList ? name : `${name}, ${titles[tab].toLowerCase()}`}
      parents={[{ key: "agents", link: <Link to="/agents">Agents</Link> }]}
      heading={name}
      live={
        <LiveStatus
          queryKey={isList && conversations.isService ? conversations.queryKey : options.queryKey}
        />
      }
      actions={
        <Link {...toNew} className={buttonClass("primary")}>
          <span className="max-sm:hidden">New conversation</span>
          <span className="sm:hidden">New</span>
        </Link>
      }
    >
      {agent ? (
        <>
          <AgentHeader agent={agent} agentId={agentId} />
          <TabBar label="Parts of the agent" className="shrink-0 pr-edge-right pl-edge-left">
            {agentTabs.map((one) => (
              <Tab key={one} asChild isActive={one === tab} count={counts[one]}>
                <Link
                  to="/agents/$agentId"
                  params={{ agentId }}
                  search={one === "conversations" ? {} : { tab: one }}
                  replace
                >
                  {titles[one]}
                </Link>
              </Tab>
            ))}
          </TabBar>
          <Stale query={read} />
          <Damage damage={read.data?.damage ?? []} />
          {isList ? (
            <ConversationList agentId={agentId} search={search} conversations={conversations} />
          ) : (
            <Configuration agent={agent} />
          )}
        </>
      ) : read.isError ? (
        isNotFound(read.error) ? (
          <AgentMissing agentId={agentId} error={read.error} />
        ) : (
          <Failure
            error={read.error}
            what="The agent"
            onRetry={() => void read.refetch()}
            isRetrying={read.isFetching}
            actions={
              <Link to="/agents" className={buttonClass("plain", "small")}>
                All agents
              </Link>
            }
          />
        )
      ) : (
        <SkeletonRows label="Reading the agent" rows={6} columns={["20px", "2fr", "1fr"]} />
      )}
    </Page>
  );
}
