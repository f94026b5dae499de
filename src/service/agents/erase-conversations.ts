import { type Selectable, sql } from "kysely";
import type { Context } from "../context.ts";
import { isRestorable } from "../files/purge-deleted.ts";
import { createRecurring, type Recurring } from "../recurring.ts";
import { mergeTombstones } from "../store/merge-tombstones.ts";
import type { InteractionsTable } from "../store/schema-agents.ts";
import type { Store, Tx } from "../store/store.ts";
import { leaveTombstones, ownerAudiences } from "../store/tombstones.ts";

/** Milliseconds from one look to the next. */
const between = 3_600_000;
/** Conversations erased in one transaction. */
const batch = sql.lit(50);

/**
 * Erases what was deleted a day ago: messages, questions to people, evaluation results, and what the journals of the turns and evaluations
 * recorded of them. Artifacts and runs stay; a row without words stays behind for those artifacts. Several processes may do
 * it at once.
 * @returns how many conversations were erased
 */
export async function eraseDeleted({ db }: Pick<Store, "db">, signal?: AbortSignal): Promise<number> {
  let erased = 0;
  while (!signal?.aborted) {
    const some = await db.transaction().execute(eraseSome);
    if (some === 0) break;
    erased += some;
  }
  await mergeTombstones({ db }, signal);
  return erased;
}

async function eraseSome(tx: Tx): Promise<number> {
  const { rows } = await sql<
    Pick<Selectable<InteractionsTable>, "id" | "user_id" | "team_id" | "deleted_at">
  >`
    select id, user_id, team_id, deleted_at from interactions
     where deleted_at is not null and not ${isRestorable("deleted_at")} and erased_at is null
     order by deleted_at limit ${batch} for update skip locked`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await forgetConversations(tx, ids);
  await leaveTombstones(
    tx,
    rows.map((one) => {
      return { id: one.id, audiences: ownerAudiences(one), ruleDays: null, at: one.deleted_at };
    }),
  );
  return ids.length;
}

/**
 * Takes all words out of these conversations, which nobody can restore after that. Their rows stay.
 * @param ids locked, and at rest
 */
export async function forgetConversations(tx: Tx, ids: readonly string[]): Promise<void> {
  const results = await tx
    .deleteFrom("evaluation_results")
    .where("interaction_id", "in", ids)
    .returning("id")
    .execute();
  const subjects = [...ids, ...results.map(({ id }) => id)];
  const over = sql`select id from executions
    where subject_id = any(${subjects}::text[]) and kind in ('turn', 'evaluation') and finished_at is not null`;
  await sql`delete from steps where execution_id in (${over})`.execute(tx);
  await sql`update executions set result = null, error = null where id in (${over})`.execute(tx);
  await tx.deleteFrom("approvals").where("interaction_id", "in", ids).execute();
  await tx.deleteFrom("messages").where("interaction_id", "in", ids).execute();
  await tx
    .updateTable("interactions")
    .set({
      // Of what nobody deleted it was no mistake: it cannot be restored for a day.
      deleted_at: sql`coalesce(deleted_at, '-infinity')`,
      erased_at: sql`now()`,
      name: "",
      error: sql`case when error is null then null else '' end`,
    })
    .where("id", "in", ids)
    .execute();
}

/** Erases at once and then now and then, until it is stopped. */
export function createEraser({ store, log }: Pick<Context, "store" | "log">): Recurring {
  const erase = async (signal: AbortSignal) => {
    const erased = await eraseDeleted(store, signal);
    if (erased > 0) log.info({ erased }, "erased conversations that were deleted a day ago");
  };
  return createRecurring(erase, between, (err) =>
    log.warn({ err }, "deleted conversations could not be erased"),
  );
}
