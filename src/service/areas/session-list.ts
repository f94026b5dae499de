import { type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Caller, Request } from "./handler.ts";
import { type Listed, ownersOf } from "./newest.ts";

type Query = Request<typeof endpoints.listSessions>["query"];

/** Whether people have to answer before the turn goes on. */
const isAsking = sql<boolean>`exists (select from approvals
  where approvals.execution_id = interactions.execution_id and approvals.state = 'waiting')`;

/**
 * A turn that no worker has taken yet is queued; one that waits for a run of its own is processing, and one that waits for
 * people needs approval. Of a join.
 */
export const shownState = sql<string>`case when interactions.state <> 'processing' then interactions.state
  when executions.state = 'queued' and executions.started_at is null then 'queued'
  when ${isAsking} then 'approval_required' else 'processing' end`;

/** The conversations with an agent that a list asks for, of those that the caller may read. */
export function listedSessions(caller: Caller, agentId: string, query: Query): Listed {
  const state = ofStates(query.state?.split(","));
  const owners = ownersOf(caller, null, "interactions");
  return {
    table: "interactions",
    list: "sessions",
    branches: owners.flatMap((owner) =>
      state.kinds.map(
        (kind) =>
          sql`interactions.deleted_at is null and interactions.agent_id = ${agentId} and ${owner} and ${kind}`,
      ),
    ),
    filters: [
      ...state.filters,
      ...(query.type === undefined ? [] : [sql`interactions.type = ${query.type}`]),
      ...(query.search === undefined ? [] : [contains(query.search)]),
    ],
  };
}

/** Which conversations are read in order, and which of them are left out: those that are completed are most. */
function ofStates(states: readonly string[] | undefined) {
  if (states === undefined) return { kinds: [sql`true`], filters: [] };
  const wanted = new Set(states);
  const filters = [sql`(${sql.join([...wanted].map(stateCondition), sql` or `)})`];
  if (wanted.has("completed")) return { kinds: [sql`true`], filters };
  const isOpen = ["queued", "processing", "approval_required"].some((state) => wanted.has(state));
  const kinds: RawBuilder<unknown>[] = [
    ...(wanted.has("failed") || wanted.has("stopped") ? [sql`interactions.state = 'failed'`] : []),
    ...(isOpen ? [sql`interactions.state = 'processing'`] : []),
  ];
  return { kinds, filters };
}

/** The conversations in a state of the interface; `stopped` are those that failed because somebody ended them. */
function stateCondition(state: string): RawBuilder<unknown> {
  const turn = (condition: RawBuilder<unknown>) =>
    sql`(select ${condition} from executions where executions.id = interactions.execution_id)`;
  const isQueued = turn(sql`executions.state = 'queued' and executions.started_at is null`);
  switch (state) {
    case "completed":
      return sql`interactions.state = 'completed'`;
    case "failed":
      return sql`interactions.state = 'failed'`;
    case "queued":
      return sql`(interactions.state = 'processing' and coalesce(${isQueued}, false))`;
    case "processing":
      return sql`(interactions.state = 'processing' and not coalesce(${isQueued}, false) and not ${isAsking})`;
    case "approval_required":
      return sql`(interactions.state = 'processing' and not coalesce(${isQueued}, false) and ${isAsking})`;
    case "stopped":
      return sql`(interactions.state = 'failed' and coalesce(${turn(sql`executions.state = 'terminated'`)}, false))`;
    default:
      return sql`false`;
  }
}

function contains(text: string) {
  const part = sql`lower(${text}::text)`;
  return sql`(strpos(lower(interactions.name), ${part}) > 0 or exists (
    select from messages where interaction_id = interactions.id and strpos(lower(content), ${part}) > 0))`;
}
