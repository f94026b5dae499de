import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { getAgent, listAgents, listAgentVersions } from "../../../contract/agents.ts";
import { keyOf } from "../../api/read.ts";
import type { Api } from "../../lib/api/api.ts";
import { useApi } from "../../lib/api/api-context.tsx";

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
