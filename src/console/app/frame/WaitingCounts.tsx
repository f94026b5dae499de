import { useEffect } from "react";
import { inboxQueries } from "../../areas/inbox/queries.ts";
import { useSources } from "../../areas/knowledge/sources.ts";
import { useServers } from "../../areas/mcp/queries.ts";
import { needsSomebody } from "../../areas/mcp/servers.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import type { NavEntry } from "./nav.tsx";
import { useOfflineParts } from "./useOfflineParts.ts";

export type Waiting = Partial<Record<NavEntry["to"], number>>;

/**
 * Counts what waits for this person on other pages, for the sidebar, and fetches what is seldom wanted. Draws nothing itself.
 * @param place where the counts are kept, for the next page and the other tabs
 */
export default function WaitingCounts({ place }: { place: string }) {
  const api = useApi();
  const { drafts } = api;
  const hasInbox = useCan("inbox");
  // It comes once the page stands, which is when there is room for more.
  useOfflineParts();
  const questions = useRead({ ...inboxQueries.count(api), enabled: hasInbox }).data?.data.waiting;
  const servers = useServers(undefined, true);
  const sources = useSources(true);
  // What could not be read is no zero.
  const mcp = servers.query.data && servers.rows.filter(needsSomebody).length;
  const knowledge =
    sources.query.data && (sources.groups.find((group) => group.key === "waits")?.sources.length ?? 0);
  // The inbox counts sources as well, also those that this person put off.
  const later = sources.groups.find((group) => group.key === "later")?.sources.length ?? 0;
  const inbox = questions == null ? undefined : Math.max(0, questions - later);
  useEffect(() => {
    void drafts.load().then(() => {
      const kept = drafts.get(place) as Waiting | undefined;
      const next: Waiting = {
        ...kept,
        ...(inbox !== undefined && { "/inbox": inbox }),
        ...(mcp !== undefined && { "/mcp": mcp }),
      };
      if (hasInbox) next["/knowledge"] = 0;
      else if (knowledge !== undefined) next["/knowledge"] = knowledge;
      if (JSON.stringify(next) !== JSON.stringify(kept)) void drafts.set(place, next);
    });
  }, [inbox, hasInbox, mcp, knowledge, drafts, place]);
  return null;
}
