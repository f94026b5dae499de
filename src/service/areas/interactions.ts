import { type Selectable, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Interaction } from "../../contract/interactions.ts";
import { findAgentOrAlias, ownerOf } from "../agents/agent-rows.ts";
import {
  continueConversation,
  newConversation,
  type TurnStart,
  writeConversation,
} from "../agents/start-turn.ts";
import type { AuditEvent } from "../audit/entry.ts";
import { record, recordedWith } from "../audit/record.ts";
import type { Context } from "../context.ts";
import type { NewExecution } from "../engine/kind.ts";
import { type Actor, resolveActor } from "../permission/actor.ts";
import { mayContinue, mayReadExecution } from "../permission/executions.ts";
import { mayUseAgent } from "../permission/owned.ts";
import { ServiceError } from "../service-error.ts";
import type { InteractionsTable } from "../store/schema-agents.ts";
import type { Tx } from "../store/store.ts";
import { callerTrace } from "../traceparent.ts";
import type { Caller, Handlers } from "./handler.ts";
import { type StartRequest, startOnce, unlessStarted } from "./idempotent-start.ts";
import { messagePieces, responseOf, responsePieces, showMessages, together } from "./message-view.ts";
import { timestamp } from "./times.ts";

type Interactions = Pick<Handlers<typeof endpoints>, "startAgent" | "agentStatus">;
type Starting = Parameters<Interactions["startAgent"]>[1];
type InteractionRow = Selectable<InteractionsTable>;

/**
 * §4.1, §3.1, §7.1. The order of the checks is decided: fields (by the schema), the key's scope, the agent, access to it,
 * the interaction, access to it, its agent, its team, its state.
 */
const startAgent: Interactions["startAgent"] = async (context, request) => {
  const { caller, body, headerFields } = request;
  const actor = resolveActor(caller, body, "always");
  const { gummie_id, message, user_id, project_id, interaction_id } = body;
  const once: StartRequest = {
    ...{ endpoint: "startAgent", caller, key: headerFields["Idempotency-Key"], inputs: [] },
    content: () => [gummie_id, message, user_id ?? null, project_id ?? null, interaction_id ?? null],
  };
  return unlessStarted(context, once, () => begin(context, request, actor, once));
};

async function begin(context: Context, request: Starting, actor: Actor, once: StartRequest) {
  const { caller, body } = request;
  const { key } = once;
  const trace = callerTrace(request.headers);
  const agent = await findAgentOrAlias(context, actor.userId, body.gummie_id);
  if (agent === null) throw new ServiceError("gummie_not_found", { param: "gummie_id" });
  if (!mayUseAgent(caller, actor, ownerOf(agent))) throw new ServiceError("unauthorized_gummie_access");
  const start: TurnStart = { agent, actor, message: body.message };
  const continued = body.interaction_id ?? null;
  if (continued !== null) {
    const { state, team_id } = await continuable(context, caller, continued, agent.id);
    const named = body.project_id ?? null;
    if (named !== null && named !== team_id) {
      throw new ServiceError("project_id_mismatch", { param: "project_id" });
    }
    // Most of a crowd is turned away here; the UPDATE decides among the rest. With a key it may be a repeated request.
    if (state === "processing" && key === undefined) throw processing();
  }
  const opened = continued === null ? newConversation(context.ids, start, typeOf(request)) : null;
  // Without a key a new conversation is all that is written: it can go with others.
  if (opened !== null && key === undefined) {
    const { rows, recorded } = recordedWith(request, startedEvent(start, opened.turn, true));
    await context.engine.launch({ ...opened.turn, trace }, opened.rows, rows);
    return { type: "body" as const, body: begun(opened.turn), recorded };
  }
  const { answer, recorded } = await startOnce(context.engine, once, async (tx, startTurn) => {
    if (opened !== null) await writeConversation(tx, opened.rows);
    const turn = opened?.turn ?? (await goOn(context, tx, start, continued));
    await startTurn({ ...turn, trace });
    const event = startedEvent(start, turn, opened !== null);
    return { answer: begun(turn), recorded: await record(tx, request, event) };
  });
  return { type: "body" as const, body: answer, recorded };
}

/** What was said stays in the conversation. */
function startedEvent({ agent, actor }: TurnStart, turn: NewExecution, isNew: boolean): AuditEvent {
  return {
    action: isNew ? "conversation.start" : "conversation.continue",
    object: { kind: "conversation", id: turn.subjectId, name: agent.name },
    teamId: turn.teamId,
    forUserId: actor.userId,
  };
}

/**
 * Through what a conversation is begun. With a key it is the console where a browser says that a page of this service asks,
 * which no page can say by itself; a program's token is none of the console.
 */
export const typeOf = ({
  caller,
  headers,
}: {
  readonly caller: Caller;
  readonly headers: ReadonlyMap<string, string>;
}) => {
  const isConsole =
    caller.kind === "token" ? caller.program === undefined : headers.get("sec-fetch-site") === "same-origin";
  return isConsole ? "console" : "api";
};

const begun = (turn: NewExecution) => ({ interaction_id: turn.subjectId, status: "processing" });

async function goOn(context: Context, tx: Tx, start: TurnStart, id: string | null): Promise<NewExecution> {
  const turn =
    id && (await continueConversation(tx, context.ids, id, { ...start, userId: start.actor.userId }));
  // None also where it was deleted just now.
  if (!turn) throw (await isThere(tx, id)) ? processing() : noInteraction();
  return turn;
}

async function isThere(tx: Tx, id: string | null): Promise<boolean> {
  const row = await tx
    .selectFrom("interactions")
    .select("id")
    .where("id", "=", id ?? "")
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whoever polls the conversation sees that something of it is new; its time goes on.
 * @throws ServiceError `interaction_not_found` where it was deleted meanwhile
 */
export async function touchConversation(tx: Tx, id: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("interactions")
    .set({ revision: sql`revision + 1` })
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw noInteraction();
}

/** One answer for a conversation that never was, was deleted, or is somebody else's. */
export function noInteraction(): ServiceError {
  return new ServiceError("interaction_not_found", { param: "interaction_id" });
}

function processing(): ServiceError {
  return new ServiceError("interaction_not_in_terminal_state", { param: "interaction_id" });
}

/** A conversation by its id, unless it was deleted; who may see it is for the caller to ask. */
export async function findInteraction(context: Context, id: string): Promise<InteractionRow | null> {
  const row = await context.store.db
    .selectFrom("interactions")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

async function continuable(
  context: Context,
  caller: Caller,
  id: string,
  agentId: string,
): Promise<InteractionRow> {
  const row = await findInteraction(context, id);
  if (row === null) throw noInteraction();
  if (!mayContinue(caller, { userId: row.user_id, teamId: row.team_id })) {
    throw new ServiceError("unauthorized_interaction_access", { param: "interaction_id" });
  }
  if (row.agent_id !== agentId) throw new ServiceError("interaction_gummie_mismatch", { param: "gummie_id" });
  return row;
}

/** The states of §3.1 as they are on the wire. */
export const wireStates = {
  processing: "ASYNC_PROCESSING",
  completed: "COMPLETED",
  failed: "FAILED",
} as const;

/** §4.2, §2.1. While a turn is processing its messages are not shown here; `GET /sessions/{id}` has them. */
const agentStatus: Interactions["agentStatus"] = async (context, { caller, params, query, ifNoneMatch }) => {
  resolveActor(caller, query, "always");
  const row = await findInteraction(context, params.interaction_id);
  if (row === null || !mayReadExecution(caller, { userId: row.user_id, teamId: row.team_id })) {
    throw noInteraction();
  }
  const etag = interactionTag(context, row);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const shown = await showBegun(context, row);
  if (row.state === "processing") return { type: "body", body: shown, etag };
  const messages = await showMessages(context, caller, row.id);
  if (messages === null) {
    return { type: "pieces", pieces: together(statusPieces(context, caller, { row, shown })), etag };
  }
  const end =
    row.state === "failed" ? { error_message: row.error ?? "" } : { response: responseOf(messages) };
  return { type: "body", body: { ...shown, ...end, messages }, etag };
};

/** What is shown of a conversation in each state. */
async function showBegun(context: Context, row: InteractionRow): Promise<Interaction> {
  return {
    interaction_id: row.id,
    state: wireStates[row.state],
    gummie_id: await shownAgentId(context, row.agent_id),
    created_ts: timestamp(row.created_at),
  };
}

/** The state of a conversation that is long and has ended, as JSON text. */
async function* statusPieces(
  context: Context,
  caller: Caller,
  { row, shown }: { readonly row: InteractionRow; readonly shown: Interaction },
): AsyncGenerator<string> {
  const error = row.state === "failed" && { error_message: row.error ?? "" };
  yield `${JSON.stringify({ ...shown, ...error }).slice(0, -1)},"messages":`;
  const newest = yield* messagePieces(context, caller, row.id);
  if (row.state === "completed") {
    yield ',"response":';
    yield* responsePieces(context, row.id, newest);
  }
  yield "}";
}

async function shownAgentId(context: Context, id: string): Promise<string> {
  const row = await context.store.db
    .selectFrom("agents")
    .select("alias")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.alias ?? id;
}

/** Changes with the conversation, and now and then with the signed links in it, which grow old. */
export function interactionTag(context: Context, row: Pick<InteractionRow, "revision" | "turn">): string {
  const tenMinutes = Math.floor(context.clock.now().getTime() / 600_000);
  return `${row.turn}.${row.revision}.${tenMinutes}`;
}

/** Whether `If-None-Match` names this tag; weak marks and quotes do not matter, `*` matches. */
export function isFresh(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  // As we send it, which is how almost all send it back.
  if (ifNoneMatch === `W/"${etag}"`) return true;
  const names = ifNoneMatch.split(",").map((name) => name.trim().replace(/^W\//, "").replaceAll('"', ""));
  return names.includes(etag) || names.includes("*");
}

export const interactionHandlers: Interactions = { startAgent, agentStatus };
