import { sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { changesOf } from "../audit/changes.ts";
import { nothingChanged, record } from "../audit/record.ts";
import { personOf, teamsOf } from "../permission/actor.ts";
import { mayContinue, mayKill, readableExecutions } from "../permission/executions.ts";
import { previewRetention } from "../retention/preview.ts";
import { retentionKinds } from "../retention/rules.ts";
import { checkedConversation } from "./conversation-actions.ts";
import { noRun } from "./get-run.ts";
import type { Handlers } from "./handler.ts";
import { findInteraction, touchConversation } from "./interactions.ts";
import { flowName, runOwner } from "./run-rows.ts";
import { timestamp } from "./times.ts";

type Retention = Pick<Handlers<typeof endpoints>, "getRetention" | "keepRun" | "keepConversation">;

/** Own: the rules for all and for the caller's teams, and what would go of what the caller may see. */
const getRetention: Retention["getRetention"] = async (context, { caller, query }) => {
  const { retention, store } = context;
  const ours = new Set(teamsOf(caller));
  const rules = retentionKinds.flatMap((kind) => {
    const { days, teams } = retention[kind];
    const exceptions = [...teams].filter(([team]) => ours.has(team));
    return [
      ...(days === null ? [] : [{ kind, project_id: null, days }]),
      ...exceptions.map(([team, own]) => ({ kind, project_id: team, days: own })),
    ];
  });
  const isCounted = query.preview ?? true;
  const preview = isCounted
    ? await previewRetention(store, retention, readableExecutions(caller, "part"))
    : [];
  return {
    type: "body",
    body: {
      rules,
      preview: preview.map(({ kind, teamId, count, bytes, oldest }) => {
        return { kind, project_id: teamId, count, bytes, oldest_ts: timestamp(oldest) };
      }),
    },
  };
};

/** Own. The root of its tree is held first: of a mark and a deletion at once exactly one happens. */
const keepRun: Retention["keepRun"] = async (context, request) => {
  const { caller, params, body } = request;
  const recorded = await context.store.db.transaction().execute(async (tx) => {
    const run = await tx
      .selectFrom("executions")
      .innerJoin("executions as root", "root.id", "executions.root_id")
      .select(["executions.user_id", "executions.team_id", flowName.as("name")])
      .where("executions.id", "=", params.run_id)
      .where("executions.kind", "=", "pipeline")
      .modifyEnd(sql`for key share of root`)
      .executeTakeFirst();
    if (!run || !mayKill(caller, runOwner(run))) throw noRun();
    const changed = body.kept
      ? await tx
          .insertInto("kept_runs")
          .values({ execution_id: params.run_id, kept_by: personOf(caller) })
          .onConflict((conflict) => conflict.doNothing())
          .returning("execution_id")
          .execute()
      : await tx
          .deleteFrom("kept_runs")
          .where("execution_id", "=", params.run_id)
          .returning("execution_id")
          .execute();
    if (changed.length === 0) return nothingChanged();
    return await record(tx, request, {
      action: "run.keep",
      object: { kind: "run", id: params.run_id, name: run.name },
      teamId: run.team_id,
      changes: changesOf("run", { kept: !body.kept }, { kept: body.kept }),
    });
  });
  return { type: "body", body: { run_id: params.run_id, kept: body.kept }, recorded };
};

/** Own. */
const keepConversation: Retention["keepConversation"] = async (context, request) => {
  const { caller, params, body } = request;
  const row = checkedConversation(caller, await findInteraction(context, params.interaction_id), mayContinue);
  const recorded = await context.store.db.transaction().execute(async (tx) => {
    await touchConversation(tx, row.id);
    const changed = body.kept
      ? await tx
          .insertInto("kept_conversations")
          .values({ interaction_id: row.id, kept_by: personOf(caller) })
          .onConflict((conflict) => conflict.doNothing())
          .returning("interaction_id")
          .execute()
      : await tx
          .deleteFrom("kept_conversations")
          .where("interaction_id", "=", row.id)
          .returning("interaction_id")
          .execute();
    if (changed.length === 0) return nothingChanged();
    return await record(tx, request, {
      action: "conversation.keep",
      object: { kind: "conversation", id: row.id },
      teamId: row.team_id,
      changes: changesOf("conversation", { kept: !body.kept }, { kept: body.kept }),
    });
  });
  return { type: "body", body: { interaction_id: row.id, kept: body.kept }, recorded };
};

export const retentionHandlers: Retention = { getRetention, keepRun, keepConversation };
