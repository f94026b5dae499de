import { type RawBuilder, sql } from "kysely";
import type { Context } from "../context.ts";
import { mergeTombstones } from "../store/merge-tombstones.ts";
import type { Tx } from "../store/store.ts";
import { type Gone, leaveTombstones } from "../store/tombstones.ts";
import { removeUnnamed, withoutOwner } from "./sweep-files.ts";

/** How long what was deleted can be restored, in seconds: longer than anybody needs to see that it was a mistake. */
const restorableSeconds = 86_400;
/** So many things are removed in one transaction. */
const batch = 100;

/** When something that was deleted then can be restored no more. */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + restorableSeconds * 1_000);
}

/** The condition of the database that something was deleted and can be restored still. */
export function isRestorable(column: string): RawBuilder<boolean> {
  const at = sql.ref(column);
  return sql<boolean>`coalesce(${at} > now() - make_interval(secs => ${sql.lit(restorableSeconds)}), false)`;
}

/**
 * Removes for good what was deleted and can be restored no more: first the rows, then, after the commit, the bytes that no
 * other row names. What a crash leaves in between, the sweep of files finds.
 * @returns how many artifacts and sources it were
 */
export async function purgeDeleted(
  { store, files }: Pick<Context, "store" | "files">,
  signal?: AbortSignal,
): Promise<number> {
  let purged = 0;
  for (const purge of [purgeArtifacts, purgeSources]) {
    for (let count = batch; count === batch && signal?.aborted !== true; purged += count) {
      const gone = await store.db.transaction().execute(purge);
      count = gone.count;
      if (gone.fileIds.length > 0) await removeUnnamed(files, await withoutOwner(store, gone.fileIds));
    }
  }
  await mergeTombstones(store, signal);
  return purged;
}

interface Purged {
  readonly count: number;
  readonly fileIds: readonly string[];
}

/** Its versions, shares and tries go with it. */
async function purgeArtifacts(tx: Tx): Promise<Purged> {
  const ids = await tx
    .selectFrom("artifacts")
    .select("id")
    .where("removed_at", "is not", null)
    .where(sql<boolean>`not ${isRestorable("removed_at")}`)
    .orderBy("removed_at")
    .limit(batch)
    .forUpdate()
    .skipLocked()
    .execute();
  if (ids.length === 0) return { count: 0, fileIds: [] };
  const listed = ids.map(({ id }) => id);
  await leaveTombstones(tx, await goneArtifacts(tx, listed));
  const versions = await tx
    .selectFrom("artifact_versions")
    .select("file_id")
    .where("artifact_id", "in", listed)
    .execute();
  const made = await tx
    .deleteFrom("artifacts")
    .where("id", "in", listed)
    .returning("interaction_id")
    .execute();
  // Retention has left no more of it than what they named; what a person deleted has its turns, and goes with those.
  await sql`
    delete from interactions i
     where i.id = any(${made.map(({ interaction_id }) => interaction_id)}::text[]) and i.erased_at is not null
       and not exists (select from artifacts a where a.interaction_id = i.id)
       and not exists (select from executions e where e.subject_id = i.id and e.kind = 'turn')`.execute(tx);
  return { count: listed.length, fileIds: versions.map(({ file_id }) => file_id) };
}

/** With those who could see them before they were deleted. */
async function goneArtifacts(tx: Tx, ids: readonly string[]): Promise<Gone[]> {
  const { rows } = await sql<{ id: string; at: Date; audiences: string[] }>`
    select a.id, a.removed_at as at, array_remove(array[
             'user:' || a.user_id, 'team:' || a.team_id,
             case when a.organization_role in ('viewer', 'editor', 'owner') then 'everybody' end], null)
           || array(select case g.kind when 'person' then 'email:' else 'team:' end || g.grantee from artifact_grants g
                     where g.artifact_id = a.id and g.role in ('viewer', 'editor', 'owner')) as audiences
      from artifacts a where a.id = any(${ids}::text[])`.execute(tx);
  return rows.map((one) => ({ ...one, audiences: [...new Set(one.audiences)], ruleDays: null }));
}

/** Its files and passages go, and its name; the row stays (migration 0018 says why). */
async function purgeSources(tx: Tx): Promise<Purged> {
  const ids = await tx
    .selectFrom("knowledge_sources")
    .select("id")
    .where("deleted_at", "is not", null)
    .where("purged_at", "is", null)
    .where(sql<boolean>`not ${isRestorable("deleted_at")}`)
    .orderBy("deleted_at")
    .limit(batch)
    .forUpdate()
    .skipLocked()
    .execute();
  if (ids.length === 0) return { count: 0, fileIds: [] };
  const listed = ids.map(({ id }) => id);
  const removed = await tx
    .deleteFrom("knowledge_files")
    .where("source_id", "in", listed)
    .returning("content_id")
    .execute();
  await tx
    .updateTable("knowledge_sources")
    .set({ name: "", purged_at: sql<Date>`now()` })
    .where("id", "in", listed)
    .execute();
  return { count: listed.length, fileIds: removed.map(({ content_id }) => content_id) };
}
