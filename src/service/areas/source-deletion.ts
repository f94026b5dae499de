import { sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { record } from "../audit/record.ts";
import { isRestorable, restorableUntil } from "../files/purge-deleted.ts";
import { pendingContents } from "../knowledge/file-rows.ts";
import { ensureRun, wakeRun } from "../knowledge/source-run.ts";
import { mayReadSource } from "../permission/sources.ts";
import type { Handlers } from "./handler.ts";
import { checkManages, noSource, seenSource, showSources, sourceOwner } from "./source-view.ts";

type Deletion = Pick<Handlers<typeof endpoints>, "deleteSource" | "restoreSource">;

/**
 * Own: nothing reads a source that is deleted. Its run, also one that waits for the approval, is woken in the same
 * transaction, finds nothing to do, and ends. The bytes go when it can be restored no more.
 */
const deleteSource: Deletion["deleteSource"] = async (context, request) => {
  const { caller, params } = request;
  const seen = await seenSource(context.store.db, caller, params.source_id);
  checkManages(caller, seen, "delete");
  const { deletedAt, recorded } = await context.store.db.transaction().execute(async (tx) => {
    await wakeRun(tx, seen.id);
    const row = await tx
      .updateTable("knowledge_sources")
      .set({ deleted_at: sql<Date>`now()` })
      .where("id", "=", seen.id)
      .where("deleted_at", "is", null)
      .returning(sql<Date>`deleted_at`.as("deleted_at"))
      .executeTakeFirst();
    // Of two deletions one finds it.
    if (row === undefined) throw noSource();
    const recorded = await record(tx, request, {
      action: "source.delete",
      object: { kind: "source", id: seen.id, name: seen.name },
      teamId: seen.team_id,
    });
    return { deletedAt: row.deleted_at, recorded };
  });
  return {
    type: "body",
    body: {
      source_id: seen.id,
      deleted_at: deletedAt.toISOString(),
      restorable_until: restorableUntil(deletedAt).toISOString(),
    },
    recorded,
  };
};

/** Own: what was not read when it was deleted is read now. */
const restoreSource: Deletion["restoreSource"] = async (context, request) => {
  const { caller, params } = request;
  const { db } = context.store;
  const deleted = await db
    .selectFrom("knowledge_sources")
    .selectAll()
    .where("id", "=", params.source_id)
    .where(isRestorable("deleted_at"))
    .executeTakeFirst();
  if (deleted === undefined || !mayReadSource(caller, sourceOwner(deleted))) throw noSource();
  checkManages(caller, deleted, "restore");
  const recorded = await db.transaction().execute(async (tx) => {
    const underWay = await wakeRun(tx, deleted.id);
    const source = await tx
      .updateTable("knowledge_sources")
      .set({ deleted_at: null })
      .where("id", "=", deleted.id)
      .where(isRestorable("deleted_at"))
      // It may have been removed while this waited, by a clock that was ahead of this transaction's.
      .where("purged_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (source === undefined) throw noSource();
    if ((await pendingContents(tx, source.id)).length > 0) await ensureRun(tx, context, source, underWay);
    return await record(tx, request, {
      action: "source.restore",
      object: { kind: "source", id: source.id, name: source.name },
      teamId: source.team_id,
    });
  });
  const [source] = await showSources(db, caller, [await seenSource(db, caller, deleted.id)]);
  if (source === undefined) throw noSource();
  return { type: "body", body: { source }, recorded };
};

export const sourceDeletionHandlers: Deletion = { deleteSource, restoreSource };
