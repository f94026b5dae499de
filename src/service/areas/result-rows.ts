import { type Selectable, sql } from "kysely";
import type { EvaluationResult } from "../../contract/evaluations.ts";
import { storedVerdict } from "../evaluations/verdict.ts";
import { readableInteractions } from "../permission/executions.ts";
import { readFitting } from "../store/read-fitting.ts";
import type { EvaluationResultsTable } from "../store/schema-agents.ts";
import type { Store } from "../store/store.ts";
import type { Caller } from "./handler.ts";
import { timestamp } from "./times.ts";

interface ResultRow extends Omit<Selectable<EvaluationResultsTable>, "manual" | "quiet" | "replaces"> {
  readonly session_name: string;
  readonly rubric_name: string | null;
  readonly alias: string | null;
  readonly agent_name: string;
}

/** A result as lists show it, with the agent as it is shown: by its alias where it has one. */
export function showResult(row: ResultRow): EvaluationResult {
  const { rubric_name, ...held } = storedVerdict.parse(row.result);
  const completed = row.status === "completed";
  return {
    evaluation_id: row.id,
    interaction_id: row.interaction_id,
    session_id: row.interaction_id,
    session_name: row.session_name,
    turn: row.turn,
    agent_id: row.alias ?? row.agent_id,
    rubric:
      row.evaluation_id === null
        ? null
        : { id: row.evaluation_id, name: row.rubric_name ?? rubric_name ?? row.evaluation_id },
    created_ts: timestamp(row.created_at),
    finished_ts: row.finished_at && timestamp(row.finished_at),
    status: row.status,
    error: row.error,
    grade: completed ? row.grade : null,
    ...held,
    ...(completed && { judged_by: held.model_name === null ? "code" : "model" }),
    applied_tags: [...row.tags],
  };
}

const joined = sql`
  join evaluation_results result on result.id = looked_id
  join interactions on interactions.id = result.interaction_id
  join agents on agents.id = result.agent_id
  left join evaluations rubric on rubric.id = result.evaluation_id`;

/** Results by their ids, as many as fit into one read; without those of conversations that the caller may not read any more. */
export function readResults(store: Store, caller: Caller, ids: readonly string[], from: number) {
  return readFitting<ResultRow>(store, ids, from, (looked) => ({
    rows: sql`
      select result.id, result.evaluation_id, result.agent_id, result.interaction_id, result.turn, result.status,
             result.error, result.grade, result.tags, result.result, result.created_at, result.finished_at,
             interactions.name as session_name, rubric.name as rubric_name, agents.alias, agents.name as agent_name, place,
             coalesce(octet_length(result.error), 0) + octet_length(interactions.name) as texts
        from ${looked} ${joined}
       where ${readableInteractions(caller)}`,
    packed: ["tags", "result"],
  }));
}

/** What results say, by their ids. @param names what is shown of their agents */
export async function readMarks(
  { db }: Store,
  ids: readonly string[],
  names: readonly ("agents.alias" | "agents.name")[],
): Promise<string[]> {
  const shown = sql.join(names.map((name) => sql.ref(name)));
  const { rows } = await sql<{ readonly mark: string }>`
    select md5(row(result.xmin, interactions.name, rubric.name, ${shown})::text) as mark
      from unnest(${ids}::text[]) with ordinality as looked (looked_id, place) ${joined}
     order by place`.execute(db);
  return rows.map(({ mark }) => mark);
}
