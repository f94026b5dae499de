import { type RawBuilder, sql } from "kysely";
import { inTrees } from "../store/trees.ts";

/**
 * What never goes, whatever its age. It is asked for in the transaction that deletes, after what is to go was locked.
 * `offset 0` keeps a question about one row from becoming a join, which would read all that there is for each batch.
 */

/**
 * A conversation that is kept by a mark or because somebody opened an artifact of it to others, also one that can still be
 * restored. Each is looked up by itself: there may be far more that is kept or shared than is to go.
 * @param id of the conversation, as an expression
 */
export const isHeldConversation = (id: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from kept_conversations k where k.interaction_id = ${id} offset 0)
  or exists (select from artifacts a
              where a.interaction_id = ${id}
                and (a.link_mode <> 'none' or a.organization_role is not null
                     or exists (select from artifact_grants g where g.artifact_id = a.id))
             offset 0))`;

/**
 * The roots of trees of executions that stay whole: something in them is not over, has the mark, or is the turn of a
 * conversation that stays: `root_id`.
 * @param roots only these are looked at; null: all that there are
 */
export function heldTrees(roots: readonly string[] | null): RawBuilder<unknown> {
  const ours = roots === null ? sql`true` : inTrees("e", roots);
  return sql`
    select e.root_id from executions e where e.finished_at is null and ${ours}
    union all
    select e.root_id from kept_runs k join executions e on e.id = k.execution_id where ${ours}
    union all
    select e.root_id from (select root_id, kind, subject_id from executions e where ${ours} offset 0) e
     where e.kind = 'turn' and ${isHeldConversation(sql`e.subject_id`)}`;
}
