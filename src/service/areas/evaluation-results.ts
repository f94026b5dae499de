import type { endpoints } from "../../contract/endpoints.ts";
import { seenAgent } from "../agents/agent-rows.ts";
import { shownChange } from "../audit/changes.ts";
import { nothingChanged, type Recorded, record } from "../audit/record.ts";
import { runByHand } from "../evaluations/run-by-hand.ts";
import { readableInteractions } from "../permission/executions.ts";
import type { Handlers } from "./handler.ts";
import { replyWithList } from "./long-list.ts";
import { readNewest } from "./newest.ts";
import { listedResults } from "./result-list.ts";
import { readMarks, readResults, showResult } from "./result-rows.ts";

type Results = Pick<Handlers<typeof endpoints>, "listEvaluationResults" | "runEvaluations">;

/** Public: the results of an agent, newest first: those of conversations that the caller may read. */
const listEvaluationResults: Results["listEvaluationResults"] = async (
  context,
  { caller, params, query, ifNoneMatch },
) => {
  const { store } = context;
  const agent = await seenAgent(context, caller, params.agent_id);
  const results = await replyWithList({
    name: "evaluations",
    ifNoneMatch,
    readPage: () => readNewest(store.db, listedResults(caller, agent.id, query), query),
    async readItems({ ids }, from) {
      const { rows, next } = await readResults(store, caller, ids, from);
      return { items: rows.map(showResult), next };
    },
    readMarks: ({ ids }) => readMarks(store, ids, ["agents.alias"]),
  });
  if (results.type !== "whole") return results;
  return { type: "body", body: { evaluations: results.items, next_cursor: results.page.next_cursor } };
};

/** Public: evaluates finished sessions of an agent now; with `dry_run` it only says which it would. */
const runEvaluations: Results["runEvaluations"] = async (context, request) => {
  const { caller, params, body } = request;
  const agent = await seenAgent(context, caller, params.agent_id);
  const config = await context.store.db
    .selectFrom("evaluation_configs")
    .select("config")
    .where("agent_id", "=", agent.id)
    .executeTakeFirst();
  const sessionIds = [...new Set(body.session_ids)];
  let recorded: Recorded = nothingChanged();
  const answer = await runByHand(context, {
    agentId: agent.id,
    config: config?.config,
    sessionIds,
    readable: readableInteractions(caller),
    dryRun: body.dry_run ?? false,
    // Each session is a transaction of its own: the entry comes with the first that is started.
    async onFirst(tx) {
      recorded = await record(tx, request, {
        action: "evaluations.run",
        object: { kind: "agent", id: agent.id, name: agent.name },
        teamId: agent.team_id,
        changes: [shownChange("sessions", null, sessionIds.length)],
      });
    },
  });
  return { type: "body", body: answer, recorded };
};

export const evaluationResultHandlers: Results = { listEvaluationResults, runEvaluations };
