import { useQueries } from "@tanstack/react-query";
import { agentQueries } from "../../api/queries/agents.ts";
import { evaluationQueries } from "../../api/queries/evaluations.ts";
import { useApi } from "../api-context.tsx";
import { type Graded, readGraded } from "../evaluation/graded.ts";
import type { SourceIn } from "../knowledge/sources.ts";
import { useSources } from "../knowledge/useSources.ts";
import { needOf, needsSomebody, type ServerRow } from "../mcp/servers.ts";
import { useServers } from "../mcp/useServers.ts";
import { useCan } from "../useCan.ts";
import { useRead } from "../useRead.ts";

/** A server that needs somebody, and the agents that cannot use it until then. */
export interface ServerNeed {
  readonly row: ServerRow;
  /** Null where the service cannot tell. */
  readonly agents: number | null;
}

/** Conversations of an agent (or results, where the service may count those) that were graded "needs attention" in the last day. */
export interface GradeNeed {
  readonly agentId: string;
  readonly name: string;
  readonly noun: Graded["noun"];
  readonly count: number;
  /** All that were graded in that day. */
  readonly of: number;
}

/** So many agents are looked at for their grades, and so many servers for their agents. */
const mostAgents = 30;
const mostServers = 20;

/** What waits for this person beside runs and conversations: servers, approvals and grades. */
export function useNeeds() {
  const api = useApi();
  const tellsUse = useCan("mcp_connections");
  const { rows } = useServers();
  const sources = useSources();
  const agents = useRead(agentQueries.list(api, { sort_order: "name_asc" })).data?.data.agents ?? [];
  const shown = agents
    .flatMap((one) => (one?.id ? [{ id: one.id, name: one.name || one.id }] : []))
    .slice(0, mostAgents);
  const metrics = useQueries({ queries: shown.map(({ id }) => evaluationQueries.metrics(api, id, 1)) });

  // One that no agent uses waits for nobody: the catalogue says what is wrong with it. Where the service cannot tell who
  // uses it, one that was signed in to waits.
  const asked = rows.filter((row) => needsSomebody(row) || isSignedOut(row)).slice(0, mostServers);
  const uses = useQueries({
    queries: asked.map((row) => ({ ...agentQueries.list(api, { tool: row.id }), enabled: tellsUse })),
  });
  const servers = asked.flatMap((row, at): ServerNeed[] => {
    const list = uses[at]?.data?.data.agents;
    if (tellsUse && uses[at]?.isPending) return [];
    const count = tellsUse && list ? list.length : null;
    return (count === null ? needsSomebody(row) : count > 0) ? [{ row, agents: count }] : [];
  });
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

/** Nobody is signed in, neither the person nor the team, to a server that wants it. */
const isSignedOut = ({ mine, team }: ServerRow): boolean =>
  [mine, team].every(
    (one) =>
      one === null ||
      (one.status === "unauthenticated" && needOf(one) === null && one.connection?.auth === "sign_in"),
  );
