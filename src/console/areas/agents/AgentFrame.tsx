import type { QueryKey } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import type { Agent } from "../../../contract/agents.ts";
import type { Received } from "../../../contract/define.ts";
import { isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { Damage } from "../../lib/failure/Damage.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { LiveStatus } from "../../lib/page/LiveStatus.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { buttonClass } from "../../ui/buttonClass.ts";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { AgentGone, AgentMissing, agentQueries, useAgentNews } from "../directory/index.ts";

import { AgentMoved } from "./AgentMoved.tsx";
import { type AgentPlace, AgentTabs } from "./AgentTabs.tsx";
import { AgentHeader } from "./detail/AgentHeader.tsx";
import { useNoteVersion } from "./useNoteVersion.ts";
import { agentName } from "./words.ts";

type Props = {
  agentId: string;
  active: AgentPlace;
  /** What the tab of the browser says after the agent's name. */
  part?: string | undefined;
  /** The last crumb of a page of its own below the agent; the agent's name without it. */
  crumb?: string | undefined;
  /** What the live chip tells of; the agent itself without it. */
  liveKey?: QueryKey | undefined;
  conversations?: number | undefined;
  /** `isGone`: it can be read no more, and what is shown is what was read last. */
  children: (agent: Received<Agent>, name: string, isGone: boolean) => ReactNode;
};

/** A page of one agent: who it is, its tabs, and what is said where it cannot be read, is not there, or is gone. */
export function AgentFrame({ agentId, active, part, crumb, liveKey, conversations, children }: Props) {
  const options = agentQueries.one(useApi(), agentId);
  const read = useRead(options);
  const agent = read.data?.data.agent ?? undefined;
  const name = agentName({ id: agentId, name: agent?.name });
  const news = useAgentNews(agentId);
  const isGone = (agent !== undefined && isNotFound(read.error)) || news?.kind === "retired";
  useNoteVersion(agentId, agent);
  const tabs = useRef<HTMLDivElement>(null);
  const isRead = agent !== undefined;
  // On a phone the tabs scroll, and the one that is open may be the last. jsdom cannot scroll.
  useEffect(() => {
    if (isRead)
      tabs.current
        ?.querySelector("[aria-current=page]")
        ?.scrollIntoView?.({ inline: "nearest", block: "nearest" });
  }, [isRead]);
  return (
    <Page
      title={part === undefined ? name : `${name}, ${part}`}
      parents={[
        { key: "agents", link: <Link to="/agents">Agents</Link> },
        ...(crumb === undefined
          ? []
          : [
              {
                key: "agent",
                link: (
                  <Link to="/agents/$agentId" params={{ agentId }}>
                    {name}
                  </Link>
                ),
              },
            ]),
      ]}
      heading={crumb ?? name}
      live={<LiveStatus queryKey={liveKey ?? options.queryKey} />}
      actions={
        !isGone &&
        (agent !== undefined || !read.isError) && (
          <Link
            to="/agents/$agentId/conversations/new"
            params={{ agentId }}
            className={buttonClass("primary")}
          >
            <span className="max-sm:hidden">New conversation</span>
            <span className="sm:hidden">New</span>
          </Link>
        )
      }
    >
      {agent ? (
        <>
          <AgentHeader agent={agent} agentId={agentId} isGone={isGone} isFirst={active === "conversations"} />
          <div ref={tabs} className="shrink-0">
            <AgentTabs
              agentId={agentId}
              active={active}
              conversations={conversations}
              versions={agent.version ?? undefined}
            />
          </div>
          {isGone ? <AgentGone news={news} of={read.queryKey} /> : <Stale query={read} />}
          {!isGone && <AgentMoved agentId={agentId} teamId={agent.team_id} news={news} />}
          <Damage damage={read.data?.damage ?? []} />
          {children(agent, name, isGone)}
        </>
      ) : read.isError ? (
        isNotFound(read.error) ? (
          <AgentMissing agentId={agentId} error={read.error} />
        ) : (
          <Failure
            error={read.error}
            what="The agent"
            onRetry={() => void read.refetch()}
            isRetrying={read.isRetrying}
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
