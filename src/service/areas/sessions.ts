import { type Selectable, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { SessionSummary } from "../../contract/sessions.ts";
import { seenAgent } from "../agents/agent-rows.ts";
import { loadPeople, type PersonRow, showPerson } from "../agents/agent-view.ts";
import { mayReadExecution } from "../permission/executions.ts";
import { ServiceError } from "../service-error.ts";
import type { ExecutionState } from "../store/schema.ts";
import type { InteractionsTable } from "../store/schema-agents.ts";
import type { Handlers } from "./handler.ts";
import { interactionTag, isFresh } from "./interactions.ts";
import { showMessages } from "./message-view.ts";
import { cutPage, keyTime, readCursor, timeKey, timeKeyForm } from "./page.ts";

type Sessions = Pick<Handlers<typeof endpoints>, "listSessions" | "getSession">;

interface SessionRow extends Selectable<InteractionsTable> {
  readonly agent_name: string;
  readonly alias: string | null;
  readonly execution_state: ExecutionState | null;
}

/** A turn that no worker has taken yet is queued; one that waits for a run of its own is processing. */
const state = sql<string>`case when interactions.state <> 'processing' then interactions.state
  when executions.state = 'queued' and executions.started_at is null then 'queued' else 'processing' end`;

/** Its last turn did not go wrong: somebody ended it. */
const isStopped = sql<boolean>`(interactions.state = 'failed' and coalesce(executions.state = 'terminated', false))`;

function showSession(
  row: SessionRow & { shown_state: string },
  people: ReadonlyMap<string, PersonRow>,
): SessionSummary {
  const creator = row.user_id === null ? undefined : people.get(row.user_id);
  return {
    id: row.id,
    agent_id: row.alias ?? row.agent_id,
    agent_name: row.agent_name,
    name: row.name,
    type: row.type,
    state: row.shown_state,
    ...(row.state === "failed" && row.execution_state === "terminated" && { stopped: true }),
    created_at: row.created_at.toISOString(),
    creator: creator === undefined ? null : showPerson(creator),
    // Nothing here costs credits.
    usage: { input_tokens: row.input_tokens, output_tokens: row.output_tokens, credit_cost: null },
  };
}

/** Public: the conversations with one agent that the caller may read, newest first. */
const listSessions: Sessions["listSessions"] = async (context, { caller, params, query }) => {
  const agent = await seenAgent(context, caller, params.agent_id);
  const { db } = context.store;
  const size = query.page_size ?? 20;
  const teams = caller.kind === "team" ? [caller.teamId] : [...caller.teamIds];
  let rows = db
    .selectFrom("interactions")
    .innerJoin("agents", "agents.id", "interactions.agent_id")
    .leftJoin("executions", "executions.id", "interactions.execution_id")
    .selectAll("interactions")
    .select(["agents.name as agent_name", "agents.alias", "executions.state as execution_state"])
    .select([state.as("shown_state"), timeKey("interactions.created_at").as("key")])
    .where("interactions.agent_id", "=", agent.id)
    .where("interactions.deleted_at", "is", null)
    // The same as `mayReadExecution`, for all of them at once.
    .where(({ eb, or }) =>
      or([
        ...(teams.length === 0 ? [] : [eb("interactions.team_id", "in", teams)]),
        ...(caller.kind === "team" ? [] : [eb("interactions.user_id", "=", caller.userId)]),
      ]),
    );
  if (query.state !== undefined) {
    const wanted = query.state.split(",");
    rows = rows.where(({ or, eb }) =>
      or([eb(state, "in", wanted), ...(wanted.includes("stopped") ? [eb(isStopped, "=", true)] : [])]),
    );
  }
  if (query.type !== undefined) rows = rows.where("interactions.type", "=", query.type);
  if (query.search !== undefined) {
    const part = query.search.toLowerCase();
    rows = rows.where(sql<boolean>`(strpos(lower(interactions.name), ${part}) > 0 or exists (
      select from messages where interaction_id = interactions.id and strpos(lower(content), ${part}) > 0))`);
  }
  if (query.cursor !== undefined) {
    const end = readCursor("sessions", query.cursor, timeKeyForm);
    rows = rows.where(
      sql<boolean>`(interactions.created_at, interactions.id) < (${keyTime(end.key)}, ${end.id})`,
    );
  }
  const found = await rows
    .orderBy("interactions.created_at", "desc")
    .orderBy("interactions.id", "desc")
    .limit(size + 1)
    .execute();
  const page = cutPage(found, size, "sessions", (row) => ({ key: row.key, id: row.id }));
  const people = await loadPeople(
    db,
    page.rows.map((row) => row.user_id),
  );
  const sessions = page.rows.map((row) => showSession(row, people));
  return { type: "body", body: { sessions, next_cursor: page.next_cursor } };
};

/** Public: one conversation with its messages so far, also while the agent works. */
const getSession: Sessions["getSession"] = async (context, { caller, params, ifNoneMatch }) => {
  const { db } = context.store;
  const row = await db
    .selectFrom("interactions")
    .innerJoin("agents", "agents.id", "interactions.agent_id")
    .leftJoin("executions", "executions.id", "interactions.execution_id")
    .selectAll("interactions")
    .select(["agents.name as agent_name", "agents.alias", "executions.state as execution_state"])
    .select(state.as("shown_state"))
    .where("interactions.id", "=", params.session_id)
    .where("interactions.deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined || !mayReadExecution(caller, { userId: row.user_id, teamId: row.team_id })) {
    throw new ServiceError("not_found", { message: "There is no such conversation.", param: "session_id" });
  }
  const etag = `${interactionTag(context, row)}.${row.shown_state}`;
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const people = await loadPeople(db, [row.user_id]);
  const messages = await showMessages(context, caller, row.id);
  return { type: "body", body: { session: { ...showSession(row, people), messages } }, etag };
};

export const sessions: Sessions = { listSessions, getSession };
