import type { QueryKey } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import ArrowRightLeft from "lucide-react/icons/arrow-right-left";
import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import { type ReactNode, useRef } from "react";
import type { Agent } from "../../../contract/agents.ts";
import type { Received } from "../../../contract/define.ts";
import { isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { Damage } from "../../lib/failure/Damage.tsx";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { useMissingRight } from "../../lib/rights/rights.ts";
import { useTimeReader } from "../../lib/time/clock.tsx";
import { formatWhen } from "../../lib/time/format-time.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { Id } from "../../ui/Id.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { dottedClass } from "../../ui/textClass.ts";
import {
  AgentAvatar,
  AgentGone,
  AgentMissing,
  type AgentNews,
  agentQueries,
  Person,
  useAgentNews,
} from "../directory/index.ts";
import { AgentActions } from "./AgentActions.tsx";
import { useNoteVersion } from "./agent/seen-versions.ts";
import { agentName, useTeamName } from "./labels.ts";
import { agentTabs } from "./search.ts";

type Crumb = { readonly key: string; readonly link: ReactNode };

type Props = {
  agentId: string;
  active: AgentPlace;
  /** What the tab of the browser says after the agent's name. */
  part?: string | undefined;
  /** The last crumb of a page of its own below the agent; the agent's name without it. */
  crumb?: string | undefined;
  /** Crumbs between the agent and the last one. */
  above?: readonly Crumb[];
  /** What the live chip tells of, and what it is live for; the agent itself without it. */
  liveKey?: QueryKey | undefined;
  liveWord?: string | undefined;
  conversations?: number | undefined;
  /** Said beside the agent's name, in place of whose it is and what it asks. */
  facts?: ReactNode;
  /** Where it is edited: whether there is a draft, so that it is followed closely. Such a page offers no new conversation. */
  isEdited?: boolean;
  /** What stands over the foot of the page, and what is shown where the agent cannot be read. */
  foot?: ReactNode;
  left?: ReactNode;
  className?: string;
  /** `isGone`: it can be read no more, and what is shown is what was read last. */
  children: (agent: Received<Agent>, name: string, isGone: boolean) => ReactNode;
};

/** A page of one agent: who it is, its tabs, and what is said where it cannot be read, is not there, or is gone. */
export function AgentFrame({ agentId, active, part, crumb, above = [], conversations, ...more }: Props) {
  const { liveKey, liveWord, facts, isEdited, foot, left, className = "contents", children } = more;
  const options = agentQueries.one(useApi(), agentId, isEdited);
  const read = useRead(options);
  const agent = read.data?.data.agent ?? undefined;
  const name = agentName({ id: agentId, name: agent?.name });
  const news = useAgentNews(agentId);
  const isGone = (agent !== undefined && isNotFound(read.error)) || news?.kind === "retired";
  useNoteVersion(agentId, agent);
  const toAgent = (
    <Link to="/agents/$agentId" params={{ agentId }}>
      {name}
    </Link>
  );
  const isFirst = active === "conversations";
  const missing = useMissingRight(agent?.team_id, "operate");
  return (
    <Page
      title={part === undefined ? name : `${name} · ${part}`}
      parents={[
        { key: "agents", link: <Link to="/agents">Agents</Link> },
        ...(crumb === undefined ? [] : [{ key: "agent", link: toAgent }]),
        ...above,
      ]}
      heading={crumb ?? name}
      live={liveKey ?? options.queryKey}
      liveWord={liveWord}
      foot={foot}
      actions={
        isEdited === undefined &&
        !isGone &&
        (agent !== undefined || !read.isError) &&
        (missing !== undefined ? (
          <Button variant="primary" icon={<MessageSquarePlus />} disabledReason={missing} reasonAs="title">
            New conversation
          </Button>
        ) : (
          <LinkButton to="/agents/$agentId/conversations/new" params={{ agentId }} variant="primary">
            <MessageSquarePlus />
            <span>New conversation</span>
          </LinkButton>
        ))
      }
    >
      {agent ? (
        <div className={className}>
          <AgentHeader {...{ agent, agentId, isGone, isFirst, facts }} />
          <div className="shrink-0">
            <AgentTabs
              agentId={agentId}
              active={active}
              counts={{ conversations, versions: agent.version ?? undefined }}
            />
          </div>
          {isGone ? <AgentGone news={news} of={read.queryKey} /> : <Stale query={read} />}
          {!isGone && <AgentMoved agentId={agentId} teamId={agent.team_id} news={news} />}
          <Damage damage={read.data?.damage ?? []} />
          {children(agent, name, isGone)}
        </div>
      ) : !read.isError ? (
        <SkeletonRows label="Loading the agent" rows={6} columns={["20px", "2fr", "1fr"]} />
      ) : (
        <>
          {isNotFound(read.error) ? (
            <AgentMissing agentId={agentId} error={read.error} />
          ) : (
            <ReadFailure
              query={read}
              what="The agent"
              actions={
                <LinkButton to="/agents" size="small">
                  All agents
                </LinkButton>
              }
            />
          )}
          {left}
        </>
      )}
    </Page>
  );
}

type AgentHeaderProps = {
  agent: Received<Agent>;
  agentId: string;
  /** It can no longer be changed. */
  isGone: boolean;
  /** On its first page what it is for is told; on the others only what its line of facts says. */
  isFirst: boolean;
  facts: ReactNode;
};

/** What the agent is, over everything else of it, and what can be done with the whole of it. */
function AgentHeader({ agent, agentId, isGone, isFirst, facts }: AgentHeaderProps) {
  const name = agentName({ id: agentId, name: agent.name });
  const team = useTeamName(agent.team_id) ?? "Yours";
  return (
    <header
      className={cx(
        "flex shrink-0 items-start pr-edge-right pl-edge-left",
        isFirst ? "gap-3.5 py-3.5" : "gap-3 pt-3 pb-1",
      )}
    >
      {isFirst && (
        <AgentAvatar name={name} metadata={agent.metadata} className="mt-0.5 size-9! text-[12px]!" />
      )}
      <div className={cx("min-w-0 flex-1", !isFirst && "flex flex-wrap items-baseline gap-x-3")}>
        <h2 className="min-w-0 break-words text-title">
          <bdi>{name}</bdi>
        </h2>
        {isFirst && agent.description && (
          <p className="max-w-text break-words text-muted">{agent.description}</p>
        )}
        <p className={cx("text-muted text-secondary", facts === undefined && dottedClass, isFirst && "mt-1")}>
          {isFirst && (
            <span>
              <Id id={agentId} what="agent ID" className="text-default" />
            </span>
          )}
          {facts ?? (
            <>
              <span>{team}</span>
              {agent.version != null && <span>version {agent.version}</span>}
              <span>{agent.model_name ?? "unknown model"}</span>
            </>
          )}
          {isFirst && agent.created_at && (
            <span className="max-sm:hidden">
              created <Ago at={agent.created_at} />
              {agent.creator && (
                <>
                  {" "}
                  by <Person of={agent.creator} />
                </>
              )}
            </span>
          )}
        </p>
      </div>
      {!isGone && <AgentActions agent={agent} agentId={agentId} name={name} />}
    </header>
  );
}

/** The pages of an agent: the tabs of its first page, and those that are pages of their own. */
const places = {
  conversations: { title: "Conversations", to: "/agents/$agentId", search: {} },
  artifacts: { title: "Artifacts", to: "/agents/$agentId", search: { tab: "artifacts" } },
  settings: { title: "Settings", to: "/agents/$agentId/settings" },
  evaluations: { title: "Evaluations", to: "/agents/$agentId/evaluations" },
  versions: { title: "Versions", to: "/agents/$agentId/versions" },
} as const;
type AgentPlace = keyof typeof places;

const isTab = (place: string): boolean => agentTabs.some((tab) => tab === place);

type AgentTabsProps = {
  agentId: string;
  active: AgentPlace;
  /** How many there are, where that is known. */
  counts: Partial<Record<AgentPlace, number | undefined>>;
};

/** The tabs of an agent. */
function AgentTabs({ agentId, active, counts }: AgentTabsProps) {
  return (
    <TabBar label="Agent pages" className="shrink-0 pr-edge-right pl-edge-left">
      {(Object.keys(places) as AgentPlace[]).map((place) => {
        const { title, ...link } = places[place];
        return (
          <Tab key={place} isActive={place === active} count={counts[place]}>
            <Link
              {...link}
              params={{ agentId }}
              // The router calls a link current also on the pages below it; one tab is.
              activeOptions={{ exact: isTab(place) }}
              replace={isTab(place) && isTab(active)}
            >
              {title}
            </Link>
          </Tab>
        );
      })}
    </TabBar>
  );
}

type AgentMovedProps = {
  agentId: string;
  /** Whose it is by the last reading; null: one person's, undefined: not told. */
  teamId: string | null | undefined;
  /** What this browser did to it, where it was this browser. */
  news: AgentNews | null;
};

/** Over a page of an agent that went to another team while the page was open, whoever gave it there: whose it is now. */
function AgentMoved({ agentId, teamId, news }: AgentMovedProps) {
  const reader = useTimeReader();
  const first = useRef<{ readonly agentId: string; readonly teamId: string | null } | null>(null);
  if (teamId !== undefined && first.current?.agentId !== agentId) first.current = { agentId, teamId };
  const before = first.current?.teamId;
  const to = useTeamName(teamId);
  const from = useTeamName(before);
  if (teamId === undefined || before === undefined || before === teamId) return null;
  const at = news?.kind === "transferred" ? ` ${formatWhen(news.at, reader)}` : "";
  return (
    <Notice
      kind="offline"
      icon={<ArrowRightLeft />}
      title={to === null ? "Only you own this agent now" : `This agent was transferred to ${to}${at}`}
    >
      {from === null ? "Only you owned it" : `It belonged to ${from}`} when this page was opened.
      {to !== null && ` Everyone in ${to} can see it with its versions, change it and retire it.`}
    </Notice>
  );
}
