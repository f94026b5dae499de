import { type Selectable, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { BrainSource } from "../../contract/knowledge.ts";
import { mayManageSource, mayReadSource } from "../permission/sources.ts";
import { ServiceError } from "../service-error.ts";
import type { KnowledgeSourcesTable } from "../store/schema-agents.ts";
import type { Handlers } from "./handler.ts";

type Knowledge = Pick<Handlers<typeof endpoints>, "approveSource">;
type SourceRow = Selectable<KnowledgeSourcesTable>;

/** §2.9 */
function showSource(row: SourceRow): BrainSource {
  return {
    id: row.id,
    name: row.name,
    source_type: row.source_type,
    status: row.status,
    scope: row.scope,
    team_id: row.team_id,
    created_by_user_id: row.created_by_user_id,
    created_at: row.created_at.toISOString(),
  };
}

/**
 * §4.12, §3.3. One statement approves the draft and charges its estimated credits, so that of a hundred approvals at
 * once one happens and is paid.
 */
const approveSource: Knowledge["approveSource"] = async (context, { caller, params }) => {
  const { db } = context.store;
  const row = await db
    .selectFrom("knowledge_sources")
    .selectAll()
    .where("id", "=", params.source_id)
    .executeTakeFirst();
  const owner = row && { scope: row.scope, teamId: row.team_id, createdByUserId: row.created_by_user_id };
  if (owner === undefined || !mayReadSource(caller, owner)) {
    throw new ServiceError("not_found", {
      message: "There is no such knowledge source.",
      param: "source_id",
    });
  }
  if (!mayManageSource(caller, owner)) {
    throw new ServiceError("forbidden", { message: "You cannot approve this knowledge source." });
  }
  const { rows } = await sql<SourceRow>`
    with approved as (
      update knowledge_sources set status = 'active', approved_at = now()
      where id = ${params.source_id} and status = 'draft' returning *
    ), charged as (
      insert into credits (id, user_id, team_id, source_id, amount)
      select ${context.ids.make("credit")}, created_by_user_id, team_id, id, estimated_credits from approved
    )
    select * from approved`.execute(db);
  const [approved] = rows;
  if (approved === undefined) throw new ServiceError("source_not_draft");
  return { type: "body", body: { source: showSource(approved) } };
};

export const knowledge: Knowledge = { approveSource };
