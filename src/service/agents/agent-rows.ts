import type { Kysely, Selectable } from "kysely";
import { agentAliases } from "../../contract/agents.ts";
import { builtinTools } from "../../contract/builtin-tools.ts";
import type { Caller } from "../areas/handler.ts";
import type { Context } from "../context.ts";
import { personOf } from "../permission/actor.ts";
import { maySee, type Owned } from "../permission/owned.ts";
import { ServiceError } from "../service-error.ts";
import { toJson } from "../store/json.ts";
import type { AgentsTable, Database } from "../store/schema.ts";

export type AgentRow = Selectable<AgentsTable>;

/** The facts that decide who may do what with an agent. */
export function ownerOf(agent: AgentRow): Owned {
  return { ownerId: agent.owner_id, teamId: agent.team_id };
}

/** The id that answers show: an alias agent has its alias (§2.10). */
export function shownId(agent: { readonly id: string; readonly alias: string | null }): string {
  return agent.alias ?? agent.id;
}

/** An agent that is not retired, by its own id. */
async function findAgent(db: Kysely<Database>, id: string): Promise<AgentRow | null> {
  const row = await db
    .selectFrom("agents")
    .selectAll()
    .where("id", "=", id)
    .where("is_active", "=", true)
    .executeTakeFirst();
  return row ?? null;
}

/** What finding an agent by its alias takes: where it is kept, and what a new one is made of. */
export interface AliasContext {
  readonly store: Pick<Context["store"], "db">;
  readonly ids: Context["ids"];
  readonly models: Pick<Context["models"], "preferred">;
}

/**
 * The own id of what a filter names: an alias of this person is the id of that agent, also of a retired one that no new
 * one has followed yet; anything else is itself.
 */
export async function ownAgentId(db: Kysely<Database>, userId: string | null, id: string): Promise<string> {
  if (userId === null || !agentAliases.some((alias) => alias === id)) return id;
  const row = await db
    .selectFrom("agents")
    .select("id")
    .where("owner_id", "=", userId)
    .where("alias", "=", id)
    .executeTakeFirst();
  return row?.id ?? id;
}

/**
 * An agent by its id or by an alias of this person, which is made on first use, and anew after it was retired.
 * @param userId whose alias; null (a team key that acts for nobody): no alias exists
 */
export async function findAgentOrAlias(
  context: AliasContext,
  userId: string | null,
  id: string,
): Promise<AgentRow | null> {
  const alias = agentAliases.find((known) => known === id);
  if (alias === undefined) return findAgent(context.store.db, id);
  if (userId === null) return null;
  const own = () =>
    context.store.db
      .selectFrom("agents")
      .selectAll()
      .where("owner_id", "=", userId)
      .where("alias", "=", alias)
      .where("is_active", "=", true)
      .executeTakeFirst();
  return (await own()) ?? (await makeAlias(context, userId, alias)) ?? (await own()) ?? null;
}

/**
 * Makes the agent of an alias. One that was retired gives the alias up, and goes by its own id from then on, so that what
 * it did is not taken for the new one's.
 * @returns undefined when another request made it first
 */
function makeAlias(
  { store, ids, models }: AliasContext,
  userId: string,
  alias: (typeof agentAliases)[number],
) {
  const { name, description } = aliasAgents[alias];
  return store.db.transaction().execute(async (tx) => {
    await tx
      .updateTable("agents")
      .set({ alias: null })
      .where("owner_id", "=", userId)
      .where("alias", "=", alias)
      .where("is_active", "=", false)
      .execute();
    return tx
      .insertInto("agents")
      .values({
        id: ids.make("agent"),
        alias,
        owner_id: userId,
        team_id: null,
        name,
        description,
        model_name: models.preferred,
        system_prompt: null,
        folder_id: null,
        tools: toJson(builtinTools.map((type) => ({ type }))),
      })
      .onConflict((conflict) => conflict.columns(["owner_id", "alias"]).doNothing())
      .returningAll()
      .executeTakeFirst();
  });
}

const aliasAgents = {
  gumball: { name: "Gumball", description: "Your own assistant. Nobody else sees it." },
  analytics: {
    name: "Analytics",
    description: "Your own agent for questions about numbers. Nobody else sees it.",
  },
} as const;

/**
 * The agent that a path names, for a caller who may see it.
 * @throws ServiceError `not_found` also when it is retired or somebody else's
 */
export async function seenAgent(context: Context, caller: Caller, id: string): Promise<AgentRow> {
  const agent = await findAgentOrAlias(context, personOf(caller), id);
  if (agent === null || !maySee(caller, ownerOf(agent))) {
    throw noSuchAgent();
  }
  return agent;
}

/** One answer for an agent that never was, is retired, or is somebody else's. */
export function noSuchAgent(): ServiceError {
  return new ServiceError("not_found", { message: "There is no such agent.", param: "agent_id" });
}
