import { useQueries } from "@tanstack/react-query";
import { useApi } from "../../lib/api/api-context.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { agentQueries } from "../directory/index.ts";
import { evaluationQueries, type Graded, readGraded } from "../evaluations/index.ts";
import { type SourceIn, useSources } from "../knowledge/index.ts";
import { useServerNeeds, useServers } from "../mcp/index.ts";

/** Conversations of an agent (or results, where the service may count those) that were graded "needs attention" in the last day. */
export interface GradeNeed {
  readonly agentId: string;
  readonly name: string;
  readonly noun: Graded["noun"];
  readonly count: number;
  /** All that were graded in that day. */
  readonly of: number;
}

/** So many agents are looked at for their grades. */
const mostAgents = 30;

/** What waits for this person beside runs and conversations: servers, approvals and grades. */
export function useNeeds() {
  const api = useApi();
  const { rows } = useServers();
  const sources = useSources();
  const agents = useRead(agentQueries.list(api, { sort_order: "name_asc" })).data?.data.agents ?? [];
  const shown = agents
    .flatMap((one) => (one?.id ? [{ id: one.id, name: one.name || one.id }] : []))
    .slice(0, mostAgents);
  const metrics = useQueries({ queries: shown.map(({ id }) => evaluationQueries.metrics(api, id, 1)) });

  const servers = useServerNeeds(rows);
  const grades = shown.flatMap((agent, at): GradeNeed[] => {
    const read = metrics[at]?.data?.data;
    if (!read) return [];
    const { counts, noun, total } = readGraded(read, undefined);
    const count = counts.get("needs_attention") ?? 0;
    return count > 0 ? [{ agentId: agent.id, name: agent.name, noun, count, of: total }] : [];
  });
  const waits: readonly SourceIn[] = sources.groups.find((group) => group.key === "waits")?.sources ?? [];
  return { servers, sources: waits, grades, count: servers.length + waits.length + grades.length };
}

export type Needs = ReturnType<typeof useNeeds>;
