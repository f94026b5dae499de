import { sql } from "kysely";
import type { AgentChange } from "../../contract/agents.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { agentValues } from "../agents/agent-change.ts";
import { type AgentRow, noSuchAgent, ownerOf, seenAgent } from "../agents/agent-rows.ts";
import { showAgent } from "../agents/agent-view.ts";
import { changesOf } from "../audit/changes.ts";
import { nothingChanged, record } from "../audit/record.ts";
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
const updateAgent: Agents["updateAgent"] = async (context, request) => {
  const { caller, params, body } = request;
  const seen = await seenAgent(context, caller, params.agent_id);
  await checkChange(context, caller, seen, body);
  const { row, recorded } = await context.store.db.transaction().execute(async (tx) => {
    const { before, after } = await change(tx, caller, seen.id, body);
    if (after === before) return { row: after, recorded: nothingChanged() };
    const recorded = await record(tx, request, {
      action: "agent.update",
      object: { kind: "agent", id: after.id, name: after.name },
      teamId: after.team_id ?? before.team_id,
      changes: changesOf("agent", recordedFields(before), recordedFields(after)),
    });
    return { row: after, recorded };
  });
  return { type: "body", body: { agent: await showAgent(context.store.db, row) }, recorded };
};

/** What an entry of the audit log compares. */
function recordedFields(row: AgentRow) {
  const { name, model_name, description, system_prompt, tools, resources, metadata } = row;
  const { is_active, team_id, owner_id } = row;
  return {
    ...{ name, model_name, is_active, team_id, owner_id },
    ...{ description, system_prompt, tools, resources, metadata },
  };
}

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

/** @returns the same row twice where the change names nothing */
async function change(
  tx: Tx,
  caller: Caller,
  id: string,
  body: AgentChange,
): Promise<{ readonly before: AgentRow; readonly after: AgentRow }> {
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
  return { before: current, after: changed };
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
const createAgent: Agents["createAgent"] = async (context, request) => {
  const { caller, body } = request;
  if (caller.kind === "team") {
    throw new ServiceError("forbidden", { message: "Creating an agent needs a personal key." });
  }
  const teamId = teamScope(caller, body.team_id);
  if (body.model_name != null) checkModel(context, body.model_name);
  await checkReferences(context, caller, null, body);
  const { name, model_name, ...values } = agentValues({ metadata: {} }, body);
  const { row, recorded } = await context.store.db.transaction().execute(async (tx) => {
    const row = await tx
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
    const recorded = await record(tx, request, {
      action: "agent.create",
      object: { kind: "agent", id: row.id, name: row.name },
      teamId,
      changes: changesOf("agent", null, recordedFields(row)),
    });
    return { row, recorded };
  });
  return { type: "body", body: { agent: await showAgent(context.store.db, row) }, recorded };
};

const listAgents: Handler<typeof endpoints.listAgents> = listAgentsHandler;

export const agentHandlers: Agents = { listAgents, getAgent, updateAgent, createAgent };
