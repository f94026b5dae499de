import { useEffect } from "react";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { useApi } from "../../../lib/api.tsx";
import { useKeptValue } from "../../../lib/drafts/useDraft.ts";
import type { Drafts } from "../../../lib/history/drafts.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import { useStore } from "../../../lib/useStore.ts";
import { type AgentDraft, draftOf } from "./agent-draft.ts";

/** A version of an agent that this browser has read, for services that keep none. */
export interface SeenVersion {
  readonly version: number;
  readonly draft: AgentDraft;
  /** When it was first read here, in ms since 1970 by this browser's clock. */
  readonly seenAt: number;
}

const kept = 30;

/** They lie beside the drafts: of one identity, in this browser, gone with the sign-out. */
const nameOf = (agentId: string) => `seen versions of ${agentId}`;

/** The versions of an agent that this browser has read, newest first. */
export const useSeenVersions = (agentId: string): readonly SeenVersion[] =>
  useKeptValue(nameOf(agentId), parseSeen);

function parseSeen(stored: unknown): SeenVersion[] {
  const list = Array.isArray(stored) ? stored : [];
  return list.flatMap((one): SeenVersion[] => {
    if (!isObject(one) || typeof one.version !== "number" || typeof one.seenAt !== "number") return [];
    return [{ version: one.version, seenAt: one.seenAt, draft: draftOf(one.draft) }];
  });
}

/** Notes a version that was read; the newest 30 are kept. A version that is known already stays as it was first seen. */
async function noteSeenVersion(drafts: Drafts, agentId: string, seen: SeenVersion): Promise<void> {
  await drafts.load();
  const isKnown = (list: readonly SeenVersion[]) => list.some(({ version }) => version === seen.version);
  if (isKnown(parseSeen(drafts.get(nameOf(agentId))))) return;
  await drafts.change(nameOf(agentId), (stored) => {
    const known = parseSeen(stored);
    if (isKnown(known)) return stored;
    return [seen, ...known].sort((a, b) => b.version - a.version).slice(0, kept);
  });
}

/**
 * Where the service keeps no versions, or has not shown yet that it does, this browser remembers those that it has read.
 */
export function useNoteVersion(agentId: string, agent: Received<Agent> | undefined): void {
  const { drafts, clock, capabilities } = useApi();
  const { named, tried } = useStore(capabilities.known);
  const isKept = named ? named.includes("agent_versions") : tried.agent_versions === true;
  useEffect(() => {
    if (isKept || agent?.version == null) return;
    const seen = { version: agent.version, draft: draftOf(agent), seenAt: clock.now() };
    void noteSeenVersion(drafts, agentId, seen);
  }, [isKept, agent, agentId, drafts, clock]);
}
