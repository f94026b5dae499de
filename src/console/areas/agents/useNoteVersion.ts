import { useEffect, useSyncExternalStore } from "react";
import type { Agent } from "../../../contract/agents.ts";
import type { Received } from "../../../contract/define.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { draftOf } from "./agent/agent-draft.ts";
import { noteSeenVersion } from "./agent/seen-versions.ts";

/**
 * Where the service keeps no versions, or has not shown yet that it does, this browser remembers those that it has read.
 */
export function useNoteVersion(agentId: string, agent: Received<Agent> | undefined): void {
  const { drafts, clock, capabilities } = useApi();
  const { named, tried } = useSyncExternalStore(capabilities.known.subscribe, capabilities.known.get);
  const isKept = named ? named.includes("agent_versions") : tried.agent_versions === true;
  useEffect(() => {
    if (isKept || agent?.version == null) return;
    const seen = { version: agent.version, draft: draftOf(agent), seenAt: clock.now() };
    void noteSeenVersion(drafts, agentId, seen);
  }, [isKept, agent, agentId, drafts, clock]);
}
