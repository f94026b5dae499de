import { type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Caller, Request } from "./handler.ts";
import { type Listed, ownersOf } from "./newest.ts";
import { timeOf } from "./times.ts";

type Query = Request<typeof endpoints.listEvaluationResults>["query"];
type Condition = RawBuilder<unknown>;

/** A deleted conversation is nobody's. */
const isThere = sql`not exists (select from interactions
  where interactions.id = evaluation_results.interaction_id and interactions.deleted_at is not null)`;

/** The results of an agent that a list asks for, of conversations that the caller may read. */
export function listedResults(caller: Caller, agentId: string, query: Query): Listed {
  const owners = ownersOf(caller, null, "evaluation_results");
  const range = [
    sql`evaluation_results.agent_id = ${agentId}`,
    ...(query.created_after === undefined
      ? []
      : [sql`evaluation_results.created_at > ${timeOf(query.created_after)}`]),
    ...(query.created_before === undefined
      ? []
      : [sql`evaluation_results.created_at < ${timeOf(query.created_before)}`]),
  ];
  // Of one conversation, and one result, there is little.
  const little = [
    ...(query.session_id === undefined ? [] : [sql`evaluation_results.interaction_id = ${query.session_id}`]),
    ...(query.evaluation_id === undefined ? [] : [sql`evaluation_results.id = ${query.evaluation_id}`]),
  ];
  const seen = sql`(${sql.join([...owners, sql`false`], sql` or `)})`;
  const starts = little.length > 0 ? [sql.join([...little, seen], sql` and `)] : owners;
  return {
    table: "evaluation_results",
    list: "evaluation-results",
    branches: starts.map((start) => sql.join([start, ...range], sql` and `)),
    filters: [isThere, ...filtersOf(query)],
  };
}

/** What a saved rubric found in conversations that the caller may read, also of agents that are retired since. */
export function listedOfRubric(caller: Caller, rubricId: string): Listed {
  return {
    table: "evaluation_results",
    list: "rubric-results",
    branches: ownersOf(caller, null, "evaluation_results").map(
      (owner) => sql`evaluation_results.evaluation_id = ${rubricId} and ${owner}`,
    ),
    filters: [isThere],
  };
}

function filtersOf(query: Query): Condition[] {
  const found: Condition[] = [];
  if (query.grade !== undefined) found.push(sql`evaluation_results.grade = ${query.grade}`);
  if (query.status !== undefined)
    found.push(sql`evaluation_results.status = any(${query.status.split(",")})`);
  if (query.tag !== undefined) found.push(sql`evaluation_results.tags ? ${query.tag}`);
  if (query.criterion_id !== undefined) {
    const failed = JSON.stringify([{ id: query.criterion_id, result: "failure" }]);
    found.push(sql`evaluation_results.result->'criteria_results' @> ${failed}::jsonb`);
  }
  return found;
}
