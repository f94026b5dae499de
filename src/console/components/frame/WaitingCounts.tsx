import { useEffect } from "react";
import { useSources } from "../knowledge/useSources.ts";
import { needsSomebody } from "../mcp/servers.ts";
import { useServers } from "../mcp/useServers.ts";
import type { NavEntry } from "./nav.tsx";

export type Waiting = Partial<Record<NavEntry["to"], number>>;

/** Counts what waits for this person on other pages, for the sidebar. Draws nothing itself. */
export default function WaitingCounts({ onCount }: { onCount: (waiting: Waiting) => void }) {
  const servers = useServers(undefined, true).rows.filter(needsSomebody).length;
  const drafts = useSources(true).groups.find((group) => group.key === "waits")?.sources.length ?? 0;
  useEffect(() => onCount({ "/mcp": servers, "/knowledge": drafts }), [servers, drafts, onCount]);
  return null;
}
