import { type Selectable, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { changesOf } from "../audit/changes.ts";
import { record } from "../audit/record.ts";
import { changeRubric, readRubric, storeRubric } from "../evaluations/rubric.ts";
import { mayManage } from "../permission/owned.ts";
import { ServiceError } from "../service-error.ts";
import { storableText, toJson } from "../store/json.ts";
import type { EvaluationsTable } from "../store/schema-agents.ts";
import type { Caller, Handlers } from "./handler.ts";
import { replyWithList } from "./long-list.ts";
import { checkModel } from "./models.ts";
import { readNewest } from "./newest.ts";
import { listedOfRubric } from "./result-list.ts";
import { readMarks, readResults, showResult } from "./result-rows.ts";
import { recordedFields, showRubric } from "./rubrics.ts";

type Edit = Pick<Handlers<typeof endpoints>, "getEvaluation" | "updateEvaluation" | "listRubricResults">;

/** @throws ServiceError `not_found` where it is not there for the caller, or was deleted */
function seen<R extends Pick<Selectable<EvaluationsTable>, "owner_id" | "team_id">>(
  caller: Caller,
  row: R | undefined,
): R {
  if (row === undefined || !mayManage(caller, { ownerId: row.owner_id, teamId: row.team_id })) {
    throw new ServiceError("not_found", { message: "There is no such evaluation.", param: "evaluation_id" });
  }
  return row;
}

/** Own */
const getEvaluation: Edit["getEvaluation"] = async (context, { caller, params }) => {
  const found = await context.store.db
    .selectFrom("evaluations")
    .selectAll()
    .where("id", "=", params.evaluation_id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const row = seen(caller, found);
  const use = await context.rubricUsages(context.store.db, [row.id]);
  return { type: "body", body: { evaluation: showRubric(row, use.get(row.id)) } };
};

/** Own. The row is locked: changes at the same time happen one after the other, and the later one hears of the earlier. */
const updateEvaluation: Edit["updateEvaluation"] = async (context, request) => {
  const { caller, params, body } = request;
  if (body.config?.model_name != null) checkModel(context, body.config.model_name, "config.model_name");
  const { db } = context.store;
  const { changed, recorded } = await db.transaction().execute(async (tx) => {
    const found = await tx
      .selectFrom("evaluations")
      .selectAll()
      .where("id", "=", params.evaluation_id)
      .where("deleted_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    const row = seen(caller, found);
    if (body.updated_at != null && Date.parse(body.updated_at) !== row.updated_at.getTime()) {
      throw new ServiceError("evaluation_changed", { details: { updated_at: row.updated_at.toISOString() } });
    }
    const rubric = changeRubric(readRubric(row.config), body.config ?? {}, context.ids, "config.");
    const { description } = body;
    const changed = await tx
      .updateTable("evaluations")
      .set({
        name: body.name == null ? row.name : storableText(body.name),
        description:
          description == null ? (description === null ? null : row.description) : storableText(description),
        enabled: body.enabled ?? row.enabled,
        config: toJson(storeRubric(rubric)),
        // Of two changes in the same millisecond the later one is told apart.
        updated_at: sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 ms')`,
      })
      .where("id", "=", row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const recorded = await record(tx, request, {
      action: "evaluation.update",
      object: { kind: "evaluation", id: changed.id, name: changed.name },
      teamId: changed.team_id,
      changes: changesOf("evaluation", recordedFields(row), recordedFields(changed)),
    });
    return { changed, recorded };
  });
  const use = await context.rubricUsages(context.store.db, [changed.id]);
  return { type: "body", body: { evaluation: showRubric(changed, use.get(changed.id)) }, recorded };
};

/** Own: also those of agents that are retired since. */
const listRubricResults: Edit["listRubricResults"] = async ({ store }, request) => {
  const { caller, params, query, ifNoneMatch } = request;
  const found = await store.db
    .selectFrom("evaluations")
    .select(["id", "owner_id", "team_id"])
    .where("id", "=", params.evaluation_id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const rubric = seen(caller, found);
  const results = await replyWithList({
    name: "evaluations",
    ifNoneMatch,
    readPage: () => readNewest(store.db, listedOfRubric(caller, rubric.id), query),
    async readItems({ ids }, from) {
      const { rows, next } = await readResults(store, caller, ids, from);
      return { items: rows.map((row) => ({ ...showResult(row), agent_name: row.agent_name })), next };
    },
    readMarks: ({ ids }) => readMarks(store, ids, ["agents.alias", "agents.name"]),
  });
  if (results.type !== "whole") return results;
  return { type: "body", body: { evaluations: results.items, next_cursor: results.page.next_cursor } };
};

export const rubricEditHandlers: Edit = { getEvaluation, updateEvaluation, listRubricResults };
