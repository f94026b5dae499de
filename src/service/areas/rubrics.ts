import { type Selectable, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Evaluation } from "../../contract/evaluations.ts";
import { changesOf } from "../audit/changes.ts";
import { record } from "../audit/record.ts";
import { changeRubric, readRubric, storeRubric } from "../evaluations/rubric.ts";
import type { RubricUsage } from "../evaluations/rubric-usage.ts";
import { teamScope } from "../permission/actor.ts";
import { mayManage, ownedBy } from "../permission/owned.ts";
import { ServiceError } from "../service-error.ts";
import { storableText, toJson } from "../store/json.ts";
import { takeAdvisoryLock } from "../store/lock.ts";
import { readFitting } from "../store/read-fitting.ts";
import type { EvaluationsTable } from "../store/schema-agents.ts";
import type { Store } from "../store/store.ts";
import type { Caller, Handlers } from "./handler.ts";
import { replyWithList } from "./long-list.ts";
import { checkModel } from "./models.ts";
import { fetchPage, newestFirst, timeKey } from "./page.ts";

type Rubrics = Pick<Handlers<typeof endpoints>, "listEvaluations" | "createEvaluation" | "deleteEvaluation">;

/** Saved rubrics of one team, or of one person outside teams: each runs on every conversation. */
const maxRubrics = 50;

/** What is shown of a rubric. */
type RubricRow = Omit<Selectable<EvaluationsTable>, "owner_id" | "deleted_at">;

/** §2.8 */
export function showRubric(row: RubricRow, use?: RubricUsage): Evaluation {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    enabled: row.enabled,
    config: readRubric(row.config),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    team_id: row.team_id,
    ...(use && {
      use: {
        ...{ days: use.days, sessions: use.sessions, agents: use.agents },
        last_at: use.lastAt?.toISOString() ?? null,
      },
    }),
  };
}

/** What an entry of the audit log compares. */
export function recordedFields(row: Selectable<EvaluationsTable>) {
  const { name, description, enabled, team_id, config } = row;
  return { name, description, enabled, team_id, ...readRubric(config) };
}

/** Rubrics by their ids, as many as fit into one read; without those that are deleted by now, or out of the caller's sight. */
function readRubrics(store: Store, caller: Caller, ids: readonly string[], from: number) {
  return readFitting<RubricRow>(store, ids, from, (looked) => ({
    rows: sql`
      select id, name, description, enabled, config, created_at, updated_at, team_id, place,
             octet_length(concat(id, name)) + coalesce(octet_length(description), 0) as texts
        from ${looked} join evaluations on evaluations.id = looked_id
       where deleted_at is null and ${ownedBy(caller)}`,
    packed: ["config"],
  }));
}

/** Public: saved rubrics that the caller may see, newest first. There are none of an organization. */
const listEvaluations: Rubrics["listEvaluations"] = async (context, { caller, query, ifNoneMatch }) => {
  const { store } = context;
  const team = teamScope(caller, query.team_id);
  let rows = store.db
    .selectFrom("evaluations")
    .select(["id", timeKey("created_at").as("key"), sql<string>`xmin::text`.as("mark")])
    .where("deleted_at", "is", null)
    .where(ownedBy(caller));
  if (team !== null) rows = rows.where("team_id", "=", team);
  if (query.organization_id !== undefined) rows = rows.where(sql<boolean>`false`);
  const order = newestFirst(sql`created_at`, sql`id`);
  const rubrics = await replyWithList({
    name: "evaluations",
    ifNoneMatch,
    async readPage() {
      const { rows: shown, next_cursor } = await fetchPage(rows, "evaluations", order, query);
      const ids = shown.map(({ id }) => id);
      return { ids, shown, next_cursor, use: await context.rubricUsages(store.db, ids) };
    },
    async readItems({ ids, use }, from) {
      const { rows, next } = await readRubrics(store, caller, ids, from);
      return { items: rows.map((row) => showRubric(row, use.get(row.id))), next };
    },
    readMarks: async ({ shown, use }) =>
      shown.map(({ id, mark }) => `${mark} ${JSON.stringify(use.get(id) ?? null)}`),
  });
  if (rubrics.type !== "whole") return rubrics;
  return { type: "body", body: { evaluations: rubrics.items, next_cursor: rubrics.page.next_cursor } };
};

/** Public. A rubric is a person's own, or that person's team's; a team's key makes none, as it is nobody. */
const createEvaluation: Rubrics["createEvaluation"] = async (context, request) => {
  const { caller, body } = request;
  if (caller.kind === "team") {
    throw new ServiceError("forbidden", {
      message: "A team key cannot create a rubric: use a personal key with team_id.",
    });
  }
  if (body.organization_id != null) {
    const message = "This service has no rubrics of an organization: name a team, or neither.";
    throw new ServiceError("invalid_body", { message, param: "organization_id" });
  }
  const teamId = teamScope(caller, body.team_id);
  if (body.config?.model_name != null) checkModel(context, body.config.model_name, "config.model_name");
  const rubric = changeRubric(readRubric(null), body.config ?? {}, context.ids, "config.");
  const { row, recorded } = await context.store.db.transaction().execute(async (tx) => {
    await takeAdvisoryLock(tx, `rubrics ${teamId ?? caller.userId}`);
    const { count } = await tx
      .selectFrom("evaluations")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("deleted_at", "is", null)
      .where(
        teamId === null
          ? sql<boolean>`team_id is null and owner_id = ${caller.userId}`
          : sql<boolean>`team_id = ${teamId}`,
      )
      .executeTakeFirstOrThrow();
    if (count >= maxRubrics) {
      const message = `There are ${maxRubrics} rubrics already, and each runs on every conversation: delete one first.`;
      throw new ServiceError("too_many_rubrics", { message });
    }
    const row = await tx
      .insertInto("evaluations")
      .values({
        ...{ id: context.ids.make("rub"), owner_id: caller.userId, team_id: teamId },
        name: storableText(body.name),
        description: body.description == null ? null : storableText(body.description),
        enabled: body.enabled ?? true,
        config: toJson(storeRubric(rubric)),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const recorded = await record(tx, request, {
      action: "evaluation.create",
      object: { kind: "evaluation", id: row.id, name: row.name },
      teamId,
      changes: changesOf("evaluation", null, recordedFields(row)),
    });
    return { row, recorded };
  });
  return { type: "body", body: { evaluation: showRubric(row) }, recorded };
};

/** §4.13, §3.6: of many deletions one finds it; it runs no more, and its results stay with their sessions. */
const deleteEvaluation: Rubrics["deleteEvaluation"] = async (context, request) => {
  const { caller, params } = request;
  const unknown = new ServiceError("not_found", {
    message: "There is no such evaluation.",
    param: "evaluation_id",
  });
  const { db } = context.store;
  const row = await db
    .selectFrom("evaluations")
    .select(["owner_id", "team_id", "name"])
    .where("id", "=", params.evaluation_id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined || !mayManage(caller, { ownerId: row.owner_id, teamId: row.team_id })) throw unknown;
  const recorded = await db.transaction().execute(async (tx) => {
    const deleted = await tx
      .updateTable("evaluations")
      .set({ deleted_at: sql`now()`, enabled: false })
      .where("id", "=", params.evaluation_id)
      .where("deleted_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (deleted === undefined) throw unknown;
    const object = { kind: "evaluation", id: deleted.id, name: row.name } as const;
    return await record(tx, request, { action: "evaluation.delete", object, teamId: row.team_id });
  });
  return { type: "none", recorded };
};

export const rubricHandlers: Rubrics = { listEvaluations, createEvaluation, deleteEvaluation };
