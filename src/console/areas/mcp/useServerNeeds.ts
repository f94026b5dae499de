import { useQueries } from "@tanstack/react-query";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { agentQueries } from "../directory/index.ts";

import { type Need, needOf, needsSomebody, type ServerRow } from "./servers.ts";

/** What a server waits for: what its connection needs, or the first sign-in of anybody. */
export type ServerWait = Need | "sign-in";

/** A server that needs somebody, and the agents that cannot use it until then. */
export interface ServerNeed {
  readonly row: ServerRow;
  readonly waits: ServerWait;
  /** Whether it is the person's own connection that waits, and not the team's. */
  readonly isMine: boolean;
  /** Null where the service cannot tell. */
  readonly agents: number | null;
}

/** So many servers are looked at for their agents. */
const most = 20;

/**
 * The servers that wait for somebody, in the order of every page that names them: those whose tools changed, then those
 * that agents use. One that no agent uses waits for nobody, except where a tool of it says something else now: the
 * catalogue says what is wrong with it. Where the service cannot tell who uses one, all that need somebody wait.
 */
export function useServerNeeds(rows: readonly ServerRow[]): readonly ServerNeed[] {
  const api = useApi();
  const tellsUse = useCan("mcp_connections");
  const asked = rows.filter((row) => needsSomebody(row) || isSignedOut(row)).slice(0, most);
  const uses = useQueries({
    queries: asked.map((row) => ({ ...agentQueries.list(api, { tool: row.id }), enabled: tellsUse })),
  });
  return asked
    .flatMap((row, at): ServerNeed[] => {
      const use = uses[at];
      const list = use?.data?.data.agents;
      const agents = tellsUse && list ? list.length : null;
      const need = { row, agents, ...waitOf(row) };
      if (hasChanged(need)) return [need];
      if (tellsUse && use?.isPending) return [];
      return (agents === null ? needsSomebody(row) : agents > 0) ? [need] : [];
    })
    .sort((a, b) => Number(hasChanged(b)) - Number(hasChanged(a)));
}

/** What a server waits for, after its name. */
export const waitWords: Readonly<Record<ServerWait, string>> = {
  "sign-in-again": "no longer accepts the sign-in",
  "tools-changed": "has changed its tools",
  "no-answer": "does not answer",
  blocked: "is blocked",
  "sign-in": "waits for a sign-in",
};

function waitOf({ mine, team }: ServerRow): Pick<ServerNeed, "waits" | "isMine"> {
  const [own, teams] = [needOf(mine), needOf(team)];
  // What a tool says now goes before whatever else is wrong.
  const isMine = teams === "tools-changed" ? own === "tools-changed" : own !== null || teams === null;
  return { waits: (isMine ? own : teams) ?? "sign-in", isMine };
}

const hasChanged = ({ waits }: ServerNeed): boolean => waits === "tools-changed";

/** Nobody is signed in, neither the person nor the team, to a server that wants it. */
const isSignedOut = ({ mine, team }: ServerRow): boolean =>
  [mine, team].every(
    (one) =>
      one === null ||
      (one.status === "unauthenticated" && needOf(one) === null && one.connection?.auth === "sign_in"),
  );
