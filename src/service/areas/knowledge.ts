import { type Kysely, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { changesOf } from "../audit/changes.ts";
import { record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { ensureRun, wakeRun } from "../knowledge/source-run.ts";
import { personOf, teamScope } from "../permission/actor.ts";
import { readableSources, readerOf } from "../permission/sources.ts";
import { ServiceError } from "../service-error.ts";
import { storableText } from "../store/json.ts";
import { takeAdvisoryLock } from "../store/lock.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import type { Caller, Handlers } from "./handler.ts";
import { fetchPage, newestFirst, timeKey } from "./page.ts";
import {
  type CountedSource,
  checkManages,
  type SourceRow,
  seenSource,
  showFile,
  showSources,
  sourcesWithCounts,
} from "./source-view.ts";

type Knowledge = Pick<
  Handlers<typeof endpoints>,
  "approveSource" | "listSources" | "getSource" | "getSourceEstimate" | "createSource"
>;

/**
 * §4.12, §3.3. One statement approves the draft and charges its estimated credits, so that of a hundred approvals at
 * once one happens and is paid; the same transaction lets the run that estimated it go on, to index what it covers.
 */
const approveSource: Knowledge["approveSource"] = async (context, request) => {
  const { caller, params } = request;
  const seen = await seenSource(context.store.db, caller, params.source_id);
  checkManages(caller, seen, "approve");
  const recorded = await context.store.db.transaction().execute(async (tx) => {
    if (!(await approve(context, tx, caller, seen.id))) throw new ServiceError("source_not_draft");
    return await record(tx, request, {
      action: "source.approve",
      object: { kind: "source", id: seen.id, name: seen.name },
      teamId: seen.team_id,
      changes: changesOf("source", { status: "draft" }, { status: "active" }),
    });
  });
  return { type: "body", body: { source: await showOne(context.store.db, caller, seen.id) }, recorded };
};

/** @returns false where it is no draft: then nothing has happened */
async function approve(context: Context, tx: Tx, caller: Caller, id: string): Promise<boolean> {
  const underWay = await wakeRun(tx, id);
  const userId = personOf(caller);
  const { rows } = await sql<SourceRow>`
    with approved as (
      update knowledge_sources set status = 'active', approved_at = now(), approved_by = ${userId}
      where id = ${id} and status = 'draft' and deleted_at is null returning *
    ), charged as (
      insert into credits (id, user_id, team_id, source_id, amount)
      select ${context.ids.make("credit")}, created_by_user_id, team_id, id, estimated_credits from approved
    )
    select * from approved`.execute(tx);
  const [source] = rows;
  if (source === undefined) return false;
  // The row is ours until the commit, and whoever estimates needs it: what is pending is what was charged.
  await tx
    .updateTable("knowledge_files")
    .set({ in_approval: true })
    .where("source_id", "=", id)
    .where("status", "=", "pending")
    .execute();
  const runId = await ensureRun(tx, context, source, underWay);
  await tx
    .updateTable("credits")
    .set({ execution_id: runId })
    .where("source_id", "=", id)
    .where("kind", "=", "approval")
    .execute();
  return true;
}

async function showOne(db: Kysely<Database>, caller: Caller, id: string) {
  const [source] = await showSources(db, caller, [await seenSource(db, caller, id)]);
  if (source === undefined) throw new ServiceError("not_found", { param: "source_id" });
  return source;
}

/** Public: the sources that the caller may see, newest first. */
const listSources: Knowledge["listSources"] = async (context, { caller, query }) => {
  const { db } = context.store;
  const team = teamScope(caller, query.team_id);
  let rows = sourcesWithCounts(db)
    .select(timeKey("source.created_at").as("key"))
    .where(readableSources(readerOf(caller), "source"));
  if (team !== null) rows = rows.where("source.team_id", "=", team);
  if (query.scope !== undefined) rows = rows.where("source.scope", "=", query.scope);
  if (query.source_type !== undefined) rows = rows.where("source.source_type", "=", query.source_type);
  const page = await fetchPage(rows, "sources", newestFirst(sql`source.created_at`, sql`source.id`), query);
  const sources = await showSources(db, caller, page.rows);
  return { type: "body", body: { sources, next_cursor: page.next_cursor } };
};

/** Public: one source; own: with its files, both as they are at one moment. */
const getSource: Knowledge["getSource"] = async (context, { caller, params }) => {
  const one = context.store.db.transaction().setIsolationLevel("repeatable read");
  const source = await one.execute(async (tx) => {
    const shown = await showOne(tx, caller, params.source_id);
    const rows = await tx
      .selectFrom("knowledge_files")
      .selectAll()
      .where("source_id", "=", params.source_id)
      .orderBy("file_name")
      .execute();
    return { ...shown, files: rows.map((row) => showFile(context, caller, row)) };
  });
  return { type: "body", body: { source } };
};

/** Public: what approving would cost, and how far the reading of the files is. */
const getSourceEstimate: Knowledge["getSourceEstimate"] = async (context, { caller, params }) => {
  const row = await seenSource(context.store.db, caller, params.source_id);
  const { id: source_id, status, sync_run_id } = row;
  const known = row.estimating === 0;
  const estimate = sync_run_id && {
    sync_run_id,
    status: progressOf(row),
    estimated_tokens: known ? row.tokens : null,
    estimated_credits: known || status !== "draft" ? row.estimated_credits : null,
    document_count: row.documents,
    indexed_count: row.indexed,
    failed_count: row.failed,
    charged_credits: row.charged,
  };
  return { type: "body", body: { source_id, status, estimate: estimate || null } };
};

function progressOf(row: CountedSource): "running" | "completed" | "failed" {
  const waiting = row.status === "active" ? row.pending : 0;
  if (row.estimating + row.indexing + waiting > 0) return "running";
  return row.documents > 0 && row.failed === row.documents ? "failed" : "completed";
}

/** Of one person, beside those that are in use. */
const maxDrafts = 100;

/** Public: a source for uploaded files. Made by a person: a team's key is nobody whose credits could be spent. */
const createSource: Knowledge["createSource"] = async (context, request) => {
  const { caller, body } = request;
  if (caller.kind === "team") {
    throw new ServiceError("forbidden", {
      message: "A team key cannot create a source: use a personal key with team_id.",
    });
  }
  const teamId = teamScope(caller, body.team_id);
  const scope = body.scope ?? "personal";
  if (scope === "team" && teamId === null) {
    throw new ServiceError("invalid_body", {
      message: "A source of a team must name it: team_id is missing.",
      param: "team_id",
    });
  }
  const id = context.ids.make("source");
  const draft = body.require_approval ?? false;
  const name = storableText(body.name);
  const status = draft ? ("draft" as const) : ("active" as const);
  const recorded = await context.store.db.transaction().execute(async (tx) => {
    await checkRoom(tx, caller.userId);
    await tx
      .insertInto("knowledge_sources")
      .values({
        ...{
          id,
          name,
          source_type: body.source_type ?? "direct_file_uploads",
          scope,
        },
        ...{ status, team_id: teamId },
        created_by_user_id: caller.userId,
      })
      .execute();
    return await record(tx, request, {
      action: "source.create",
      object: { kind: "source", id, name },
      teamId,
      changes: changesOf("source", null, { name, scope, status, team_id: teamId }),
    });
  });
  return { type: "body", body: { source: await showOne(context.store.db, caller, id) }, recorded };
};

/**
 * Nobody looks at hundreds of drafts, and a source costs nothing until it has files: a program that makes them in a loop
 * is stopped. Those who make one for the same person at the same time wait for each other.
 */
async function checkRoom(tx: Tx, userId: string): Promise<void> {
  await takeAdvisoryLock(tx, `drafts ${userId}`);
  const { count } = await tx
    .selectFrom("knowledge_sources as source")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("created_by_user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where(sql<boolean>`(status = 'draft'
      or not exists (select from knowledge_files file where file.source_id = source.id))`)
    .executeTakeFirstOrThrow();
  if (count < maxDrafts) return;
  throw new ServiceError("too_many_drafts", {
    message: `You have ${count} knowledge sources that are drafts or have no files: approve some, add files or delete some first.`,
  });
}

export const knowledgeHandlers: Knowledge = {
  approveSource,
  listSources,
  getSource,
  getSourceEstimate,
  createSource,
};
