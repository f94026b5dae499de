import { type RawBuilder, sql } from "kysely";
import { inTrees } from "../store/trees.ts";

/**
 * What never goes, whatever its age. It is asked for in the transaction that deletes, after what is to go was locked.
 */

/** Somebody opened an artifact of the conversation to others; also one that can still be restored. */
const sharedConversations = sql`
  select a.interaction_id from artifacts a
   where a.link_mode <> 'none' or a.organization_role is not null
      or exists (select from artifact_grants g where g.artifact_id = a.id)`;

/** Conversations that are kept by a mark or because something of them is shared: `id`. */
export const heldConversations = sql`
  select interaction_id as id from kept_conversations union all ${sharedConversations}`;

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
    select e.root_id from executions e
     where e.kind = 'turn' and ${ours} and e.subject_id in (${heldConversations})`;
}
