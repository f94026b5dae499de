import { sql } from "kysely";
import type { AgentChange } from "../../contract/agents.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { agentValues } from "../agents/agent-change.ts";
import { type AgentRow, noSuchAgent, ownerOf, seenAgent } from "../agents/agent-rows.ts";
import { showAgent } from "../agents/agent-view.ts";
import type { Context } from "../context.ts";
import { teamScope } from "../permission/actor.ts";
import { mayManage, mayTransfer } from "../permission/owned.ts";
import { ServiceError } from "../service-error.ts";
import type { Tx } from "../store/store.ts";
import { listAgentsHandler } from "./agent-list.ts";
import { checkReferences } from "./agent-references.ts";
import type { Caller, Handler, Handlers } from "./handler.ts";
import { checkModel } from "./models.ts";

type Agents = Pick<Handlers<typeof endpoints>, "listAgents" | "getAgent" | "updateAgent" | "createAgent">;

/** §4.15 */
const getAgent: Agents["getAgent"] = async (context, { caller, params }) => {
  const row = await seenAgent(context, caller, params.agent_id);
  return { type: "body", body: { agent: await showAgent(context.store.db, row) } };
};

/**
 * §4.14. One conditional UPDATE decides every race: of many changes with the same `version` one wins; without
 * `version` the last one does, and each raises the version by one. A change that names nothing changes nothing.
 */
const updateAgent: Agents["updateAgent"] = async (context, { caller, params, body }) => {
  const seen = await seenAgent(context, caller, params.agent_id);
  await checkChange(context, caller, seen, body);
  const row = await context.store.db.transaction().execute((tx) => change(tx, caller, seen.id, body));
  return { type: "body", body: { agent: await showAgent(context.store.db, row) } };
};

/** What can be refused before the row is locked: foreign ids, unknown models, alias agents that cannot go anywhere. */
async function checkChange(
  context: Context,
  caller: Caller,
  row: AgentRow,
  body: AgentChange,
): Promise<void> {
  if (body.team_id != null) {
    if (row.alias !== null) {
      throw new ServiceError("invalid_body", {
        message: "Your own agents cannot be transferred.",
        param: "team_id",
      });
    }
    if (!mayTransfer(caller, ownerOf(row), body.team_id)) {
      throw new ServiceError("forbidden", {
        message: "You are not a member of this team.",
        param: "team_id",
      });
    }
  }
  if (body.model_name != null && body.model_name !== row.model_name) checkModel(context, body.model_name);
  await checkReferences(context, caller, row, body);
}

async function change(tx: Tx, caller: Caller, id: string, body: AgentChange): Promise<AgentRow> {
  // The lock lets metadata be merged with what is really there; the UPDATE's own conditions decide.
  const current = await tx
    .selectFrom("agents")
    .selectAll()
    .where("id", "=", id)
    .where("is_active", "=", true)
    .forUpdate()
    .executeTakeFirst();
  // It may have been retired or given away since it was looked at.
  if (current === undefined || !mayManage(caller, ownerOf(current))) throw noSuchAgent();
  const values = agentValues(current, body);
  const wanted = body.version ?? current.version;
  const changed =
    Object.keys(values).length === 0
      ? current
      : await tx
          .updateTable("agents")
          .set({ ...values, version: sql`version + 1`, updated_at: sql`now()` })
          .where("id", "=", id)
          .where("is_active", "=", true)
          // Any whole number may come, also one that the column could not hold.
          .where(sql<boolean>`version = ${wanted}::numeric`)
          .returningAll()
          .executeTakeFirst();
  if (changed === undefined || current.version !== wanted) {
    throw new ServiceError("agent_version_conflict", {
      param: "version",
      details: { current_version: current.version, sent_version: wanted },
    });
  }
  if (changed !== current && caller.kind !== "team") await signVersion(tx, changed, caller.userId);
  return changed;
}

/** The version itself was kept by the database, whoever changed the agent. */
async function signVersion(tx: Tx, agent: AgentRow, userId: string): Promise<void> {
  await tx
    .updateTable("agent_versions")
    .set({ user_id: userId })
    .where("agent_id", "=", agent.id)
    .where("version", "=", agent.version)
    .execute();
}

/** Public: an agent of one's own, or of a team that one is in. A team key is nobody, and an agent has an owner. */
const createAgent: Agents["createAgent"] = async (context, { caller, body }) => {
  if (caller.kind === "team") {
    throw new ServiceError("forbidden", { message: "Creating an agent needs a personal key." });
  }
  const teamId = teamScope(caller, body.team_id);
  if (body.model_name != null) checkModel(context, body.model_name);
  await checkReferences(context, caller, null, body);
  const { name, model_name, ...values } = agentValues({ metadata: {} }, body);
  const row = await context.store.db
    .insertInto("agents")
    .values({
      description: null,
      system_prompt: null,
      ...values,
      id: context.ids.make("agent"),
      alias: null,
      folder_id: null,
      owner_id: caller.userId,
      team_id: teamId,
      name: name ?? body.name,
      model_name: model_name ?? context.models.preferred,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { type: "body", body: { agent: await showAgent(context.store.db, row) } };
};

const listAgents: Handler<typeof endpoints.listAgents> = listAgentsHandler;

export const agents: Agents = { listAgents, getAgent, updateAgent, createAgent };
