import type { Kysely } from "kysely";
import { type AliasContext, findAgentOrAlias, ownerOf } from "../agents/agent-rows.ts";
import { newConversation, writeConversation } from "../agents/start-turn.ts";
import type { Mcp } from "../mcp/mcp.ts";
import type { NodeServices, OpenedTurn } from "../nodes/services.ts";
import type { Actor } from "../permission/actor.ts";
import { ownerInTeams, ownerMaySee } from "../permission/run-owner.ts";
import type { Database } from "../store/schema.ts";
import { type Flows, flowFinder } from "./find-flow.ts";

type Given = Pick<
  NodeServices,
  "clock" | "ids" | "outgoing" | "files" | "code" | "mcp" | "findKnowledge" | "meters"
>;

/** What agents that are made on first use are made of. */
type Models = AliasContext["models"];

/** Everything that nodes reach, with the rules of who may use what. */
export function nodeServices(db: Kysely<Database>, flows: Flows, given: Given, models: Models): NodeServices {
  return {
    ...given,
    findFlow: flowFinder(db, flows),
    openTurn: (agentId, actor, message) =>
      openTurn({ store: { db }, ids: given.ids, models }, agentId, actor, message),
    mayUseServer: async (serverId, owner) => {
      const server = serverOf(given.mcp, serverId);
      if (!server) return false;
      return server.teams === null || (await ownerInTeams(db, owner, server.teams));
    },
  };
}

function serverOf(mcp: Mcp, id: string) {
  return mcp.servers.find((server) => server.id === id);
}

async function openTurn(
  context: AliasContext,
  agentId: string,
  actor: Actor,
  message: string,
): Promise<OpenedTurn | null> {
  const { ids } = context;
  const { db } = context.store;
  const agent = await findAgentOrAlias(context, actor.userId, agentId);
  if (!agent || !(await ownerMaySee(db, actor, ownerOf(agent)))) return null;
  const { turn, rows } = newConversation(ids, { agent, actor, message }, "flow");
  return { child: turn, within: (tx) => writeConversation(tx, rows) };
}
