import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { getAgent, listAgents, listAgentVersions } from "../../../contract/agents.ts";
import { keyOf } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";
import { useApi } from "../../lib/api.tsx";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { useTimeReader } from "../../lib/time/clock.tsx";
import { formatWhen } from "../../lib/time/format-time.ts";
import { useReadAt } from "../../lib/time/ReadAgo.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { StateShape } from "../../ui/State.tsx";
import { NotFoundForYou } from "../session/index.ts";

type Props = {
  /** What this browser did to it, where it was this browser. */
  news: AgentNews | null;
  /** The read that what stands below is from; null where it is no part of the agent. */
  of: QueryKey | null;
};

/** Over the pages of an agent that is no longer there: what that means for who is looking at it. */
export function AgentGone({ news, of }: Props) {
  const reader = useTimeReader();
  const isRetired = news?.kind === "retired";
  const title = isRetired
    ? `This agent was retired ${formatWhen(news.at, reader)}`
    : news?.kind === "transferred"
      ? `This agent was transferred ${formatWhen(news.at, reader)}, and your key no longer has access to it`
      : "This agent was retired, or moved to a team your key has no access to";
  return (
    <Notice
      kind="offline"
      icon={<StateShape tone="stopped" />}
      title={title}
      action={
        <LinkButton to="/agents" size="small">
          All agents
        </LinkButton>
      }
    >
      Running turns finish; new messages and changes are refused{isRetired ? ". This can’t be undone" : ""}.
      {of !== null && <AsRead of={of} />}
    </Notice>
  );
}

function AsRead({ of }: { of: QueryKey }) {
  const reader = useTimeReader();
  const at = useReadAt(of);
  return at > 0 && <> Shown as of {formatWhen(at, reader)}.</>;
}

/** An agent that does not exist, that was retired, or that this key may not see. */
export function AgentMissing({ agentId, error }: { agentId: string; error: unknown }) {
  return (
    <NotFoundForYou
      what="agent"
      id={agentId}
      error={error}
      or="was retired,"
      actions={<LinkButton to="/agents">All agents</LinkButton>}
    />
  );
}

/** What this browser did to an agent, told to its other tabs and to the other parts of this page. */
export interface AgentNews {
  readonly kind: "retired" | "transferred" | "restored";
  readonly agentId: string;
  /** When, in ms since 1970 by this browser's clock. */
  readonly at: number;
}

const channelName = "wheelhouse-agents";

/** Tells all open pages of the same person; nothing where the browser has no channel between tabs. */
export function tellAgentNews(api: Api, news: AgentNews): void {
  const channel = openChannel();
  channel?.postMessage({ ...news, of: api.id });
  channel?.close();
}

/**
 * The last news about this agent since the page was opened, or null. Whatever comes, about any agent, the lists and the
 * agent are read anew, so that rows go and pages find out.
 * @param agentId null: any agent
 */
export function useAgentNews(agentId: string | null): AgentNews | null {
  const api = useApi();
  const client = useQueryClient();
  const [last, setLast] = useState<AgentNews | null>(null);
  useEffect(() => {
    const channel = openChannel();
    channel?.addEventListener("message", ({ data }) => {
      const news = readNews(api, data);
      if (news === null) return;
      if (agentId === null || news.agentId === agentId) setLast(news);
      for (const endpoint of [listAgents, getAgent, listAgentVersions]) {
        void client.invalidateQueries({ queryKey: keyOf(api, endpoint) });
      }
    });
    return () => channel?.close();
  }, [api, client, agentId]);
  return last;
}

function openChannel(): BroadcastChannel | null {
  return typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(channelName);
}

function readNews(api: Api, data: unknown): AgentNews | null {
  if (typeof data !== "object" || data === null || !("of" in data) || data.of !== api.id) return null;
  const { kind, agentId, at } = data as Partial<AgentNews>;
  if (kind !== "retired" && kind !== "transferred" && kind !== "restored") return null;
  return typeof agentId === "string" && typeof at === "number" ? { kind, agentId, at } : null;
}
