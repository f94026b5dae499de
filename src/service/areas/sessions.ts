import type { Kysely, Selectable } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Session, SessionSummary } from "../../contract/sessions.ts";
import { seenAgent } from "../agents/agent-rows.ts";
import { loadPeople, type PersonRow, showPerson } from "../agents/agent-view.ts";
import type { Context } from "../context.ts";
import { placesBefore } from "../engine/places-before.ts";
import { mayReadExecution } from "../permission/executions.ts";
import { ServiceError } from "../service-error.ts";
import { anyIn } from "../store/prepared.ts";
import type { Database, ExecutionState } from "../store/schema.ts";
import type { InteractionsTable } from "../store/schema-agents.ts";
import { readCopies } from "./copy-conversation.ts";
import type { Caller, Handlers } from "./handler.ts";
import { interactionTag, isFresh } from "./interactions.ts";
import { messagePieces, showMessages, together } from "./message-view.ts";
import { inOrder, readNewest } from "./newest.ts";
import { listedSessions, shownState } from "./session-list.ts";

type Sessions = Pick<Handlers<typeof endpoints>, "listSessions" | "getSession">;

interface SessionRow extends Selectable<InteractionsTable> {
  readonly agent_name: string;
  readonly agent_version: number;
  readonly alias: string | null;
  readonly execution_state: ExecutionState | null;
}

/** Conversations that are not deleted, to be narrowed. */
function sessionRows(db: Kysely<Database>) {
  return db
    .selectFrom("interactions")
    .innerJoin("agents", "agents.id", "interactions.agent_id")
    .leftJoin("executions", "executions.id", "interactions.execution_id")
    .selectAll("interactions")
    .select([
      "agents.name as agent_name",
      "agents.version as agent_version",
      "agents.alias",
      "executions.state as execution_state",
    ])
    .select(shownState.as("shown_state"))
    .where("interactions.deleted_at", "is", null);
}

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
  const page = await readNewest(db, listedSessions(caller, agent.id, query), query);
  const found = await sessionRows(db).where("interactions.id", "=", anyIn(page.ids)).execute();
  const rows = inOrder(page.ids, found);
  const people = await loadPeople(
    db,
    rows.map((row) => row.user_id),
  );
  const sessions = rows.map((row) => showSession(row, people));
  return { type: "body", body: { sessions, next_cursor: page.next_cursor } };
};

/** Public: one conversation with its messages so far, also while the agent works. */
const getSession: Sessions["getSession"] = async (context, { caller, params, ifNoneMatch }) => {
  const { db } = context.store;
  const row = await sessionRows(db)
    .leftJoin("kept_conversations", "kept_conversations.interaction_id", "interactions.id")
    .select("kept_conversations.kept_at")
    .where("interactions.id", "=", params.session_id)
    .executeTakeFirst();
  if (row === undefined || !mayReadExecution(caller, { userId: row.user_id, teamId: row.team_id })) {
    throw new ServiceError("not_found", { message: "There is no such conversation.", param: "session_id" });
  }
  const isQueued = row.state === "processing" && row.execution_state === "queued";
  const places_before = isQueued ? await placesBefore(db, row.execution_id) : null;
  const etag = `${interactionTag(context, row)}.${row.agent_version}.${row.shown_state}${places_before === null ? "" : `.${places_before}`}`;
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const people = await loadPeople(db, [row.user_id]);
  const messages = await showMessages(context, caller, row.id);
  const copies = await readCopies(db, caller, row.id);
  const shown = { ...showSession(row, people), kept: row.kept_at !== null, places_before, ...copies };
  if (messages !== null) return { type: "body", body: { session: { ...shown, messages } }, etag };
  return { type: "pieces", pieces: together(sessionPieces(context, caller, shown)), etag };
};

/** A long conversation as JSON text. */
async function* sessionPieces(
  context: Context,
  caller: Caller,
  shown: Omit<Session, "messages">,
): AsyncGenerator<string> {
  yield `{"session":${JSON.stringify(shown).slice(0, -1)},"messages":`;
  yield* messagePieces(context, caller, shown.id);
  yield "}}";
}

export const sessionHandlers: Sessions = { listSessions, getSession };
