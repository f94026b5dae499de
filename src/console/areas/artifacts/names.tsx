import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useApi, useCan } from "../../lib/api.tsx";
import { shownName } from "../../lib/shownName.ts";
import { useStore } from "../../lib/useStore.ts";
import { interactionQueries } from "../conversations/index.ts";
import { useAgentNames } from "../directory/index.ts";
import type { ArtifactIn } from "./queries.ts";

/** The conversations of so many agents are asked for their names; of the others the agent is known. */
const mostAgents = 8;

/**
 * The names of conversations by their id: those that this browser knows, and the newest that the service lists. Of one whose
 * name was not told it is with whom.
 */
export function useConversationNames(rows: readonly ArtifactIn[]): ReadonlyMap<string, string> {
  const api = useApi();
  const canList = useCan("sessions");
  const known = useStore(api.conversations.list);
  const agents = useMemo(() => {
    const found = new Set(rows.flatMap((row) => (row.session_id && row.agent_id ? [row.agent_id] : [])));
    return [...found].slice(0, mostAgents);
  }, [rows]);
  const reads = useQueries({
    queries: agents.map((agentId) => ({
      ...interactionQueries.ofAgent(api, agentId),
      enabled: canList,
      refetchInterval: false as const,
      staleTime: 60_000,
    })),
  });
  const agentNames = useAgentNames();
  const names = new Map<string, string>();
  for (const { session_id, agent_id } of rows) {
    const agent = agentNames.get(agent_id ?? "");
    if (session_id && agent !== undefined) names.set(session_id, `with ${agent}`);
  }
  for (const one of known) {
    if (one.interactionId !== null && one.name) names.set(one.interactionId, shownName(one.name));
  }
  for (const read of reads) {
    for (const session of read.data?.data.sessions ?? []) {
      if (session?.id && session.name) names.set(session.id, shownName(session.name));
    }
  }
  return names;
}

type Props = {
  row: Pick<ArtifactIn, "id" | "agent_id">;
  /** The number of a version; the newest without it. */
  version?: number | undefined;
  tab?: "changes" | "versions" | "raw";
  className?: string;
  title?: string;
  children: ReactNode;
};

/** A link to the page of an artifact. It names the agent too: the core lists artifacts by agent alone (§4.8). */
export function ArtifactLink({ row, version, tab, children, ...rest }: Props) {
  return (
    <Link
      {...rest}
      to="/artifacts/$artifactId"
      params={{ artifactId: row.id }}
      search={{
        ...(row.agent_id && { agent: row.agent_id }),
        ...(version !== undefined && { version: String(version) }),
        ...(tab !== undefined && { tab }),
      }}
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </Link>
  );
}
