import { type Selectable, sql } from "kysely";
import { z } from "zod";
import type { InboxAnswer, InboxItem, InboxSummary } from "../../contract/inbox.ts";
import { loadPeople, type PersonRow, showPerson } from "../agents/agent-view.ts";
import type { ApprovalRow } from "../agents/approvals/answer.ts";
import { isCheckable } from "../agents/approvals/check-arguments.ts";
import type { Context } from "../context.ts";
import { shownHost } from "../mcp/config.ts";
import { answerersOf } from "../permission/answerers.ts";
import { mayAnswer, maySeeApproval } from "../permission/approvals.ts";
import { mayReadExecution } from "../permission/executions.ts";
import { anyIn } from "../store/prepared.ts";
import type { InteractionsTable } from "../store/schema-agents.ts";
import type { Caller } from "./handler.ts";
import { isThere, isWaiting } from "./inbox-list.ts";
import { inOrder } from "./newest.ts";

/** A tool's words as they were written with the question. */
const storedDefinition = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.json()),
  server: z.object({ id: z.string(), credentials: z.enum(["personal", "team"]) }).nullable(),
});
export type StoredDefinition = z.output<typeof storedDefinition>;

/** A question with what it is about, for one caller. */
export interface SeenApproval extends ApprovalRow {
  readonly agent_name: string;
  readonly alias: string | null;
  readonly session_name: Selectable<InteractionsTable>["name"];
  readonly team_name: string | null;
  readonly may_answer: boolean;
  readonly is_waiting: boolean;
}

/** Those of these questions that the caller may see, in this order. */
export async function seenApprovals(
  { store, approvals }: Context,
  caller: Caller,
  ids: readonly string[],
): Promise<SeenApproval[]> {
  if (ids.length === 0) return [];
  const rows = await store.db
    .selectFrom("approvals")
    .innerJoin("agents", "agents.id", "approvals.agent_id")
    .innerJoin("interactions", "interactions.id", "approvals.interaction_id")
    .leftJoin("teams", "teams.id", "approvals.team_id")
    .selectAll("approvals")
    .select(["agents.name as agent_name", "agents.alias", "interactions.name as session_name"])
    .select(["teams.name as team_name", isWaiting.as("is_waiting")])
    .select(mayAnswer(caller, approvals.operators).as("may_answer"))
    .where("approvals.id", "=", anyIn(ids))
    .where(isThere)
    .where(maySeeApproval(caller, approvals.operators))
    .execute();
  return inOrder(ids, rows);
}

/** What lists show of questions. */
export async function showSummaries(
  context: Context,
  caller: Caller,
  rows: readonly SeenApproval[],
): Promise<InboxSummary[]> {
  const people = await loadPeople(
    context.store.db,
    rows.flatMap(({ user_id, answered_by }) => [user_id, answered_by]),
  );
  return rows.map((row) => showSummary(context, caller, row, people));
}

/** What has become of a question: one whose time is over has lapsed, whether its turn has heard of it or not. */
export function stateOf(row: Pick<SeenApproval, "state" | "is_waiting">): ApprovalRow["state"] {
  return row.state === "waiting" && !row.is_waiting ? "lapsed" : row.state;
}

const previewCharacters = 300;

function showSummary(
  context: Context,
  caller: Caller,
  row: SeenApproval,
  people: ReadonlyMap<string, PersonRow>,
): InboxSummary {
  const mayRead = mayReadExecution(caller, { userId: row.user_id, teamId: row.team_id });
  const starter = row.user_id === null ? undefined : people.get(row.user_id);
  const state = stateOf(row);
  const ended = row.ended_at ?? (state === "lapsed" ? row.lapses_at : null);
  const { name, server } = storedDefinition.parse(row.definition);
  return {
    id: row.id,
    kind: "tool_call",
    state,
    agent: { id: row.alias ?? row.agent_id, name: row.agent_name },
    session: { id: row.interaction_id, name: mayRead ? row.session_name : null },
    team: row.team_id === null ? null : { id: row.team_id, name: row.team_name },
    started_by: starter === undefined ? null : showPerson(starter),
    tool: { tool_call_id: row.tool_call_id, name, server: server && showServer(context, server.id) },
    arguments_preview: [...row.arguments].slice(0, previewCharacters).join(""),
    asked_at: row.asked_at.toISOString(),
    lapses_at: row.lapses_at.toISOString(),
    ended_at: ended?.toISOString() ?? null,
    may_answer: state === "waiting" && row.may_answer,
    answer: showAnswer(row, people),
  };
}

function showServer({ mcp }: Context, id: string) {
  const config = mcp.servers.find((server) => server.id === id);
  return { id, name: config?.name ?? null, host: config === undefined ? null : shownHost(config) };
}

function showAnswer(row: ApprovalRow, people: ReadonlyMap<string, PersonRow>): InboxAnswer | null {
  if (row.answer === null || row.answered_at === null) return null;
  const by = row.answered_by === null ? undefined : people.get(row.answered_by);
  return {
    answer: row.answer,
    by: by === undefined ? null : showPerson(by),
    at: row.answered_at.toISOString(),
    took_ms: Math.max(0, row.answered_at.getTime() - row.asked_at.getTime()),
    reason: row.reason,
    arguments_text: row.edited_arguments,
  };
}

/** A question with all that is needed to decide. */
export async function showItem(context: Context, caller: Caller, row: SeenApproval): Promise<InboxItem> {
  const { db } = context.store;
  const definition = definitionOf(row);
  const [last, message, answerers] = [
    await lastApproved(context, row),
    await db
      .selectFrom("messages")
      .select("id")
      .where("interaction_id", "=", row.interaction_id)
      .where("seq", "=", row.message_seq)
      .executeTakeFirst(),
    await answerersOf(db, context.approvals.operators, row),
  ];
  const people = await loadPeople(db, [row.user_id, row.answered_by, last?.answered_by ?? null]);
  const summary = showSummary(context, caller, row, people);
  const lastBy = last?.answered_by == null ? undefined : people.get(last.answered_by);
  return {
    ...summary,
    message_id: message?.id ?? null,
    part_id: row.part_id,
    tool: {
      ...summary.tool,
      description: definition.description === "" ? null : definition.description,
      input_schema: definition.parameters,
      definition_hash: row.definition_hash,
    },
    arguments_text: row.arguments,
    arguments: JSON.parse(row.arguments),
    last_approved:
      last?.answered_at == null
        ? null
        : {
            item_id: last.id,
            at: last.answered_at.toISOString(),
            by: lastBy === undefined ? null : showPerson(lastBy),
            arguments_text: last.edited_arguments ?? last.arguments,
          },
    asked_again_for: row.again_for,
    who: { rule: row.who, people: answerers.people.map(showPerson), count: answerers.count },
    may_edit: summary.may_answer && isCheckable(definition.parameters),
  };
}

/** The tool as it described itself when it was asked about. */
export function definitionOf(row: Pick<ApprovalRow, "definition">): StoredDefinition {
  return storedDefinition.parse(row.definition);
}

/** Of the same agent, tool and owner, and before this one was asked: whoever sees this one may see that. */
async function lastApproved({ store }: Context, row: ApprovalRow): Promise<ApprovalRow | undefined> {
  return await store.db
    .selectFrom("approvals")
    .selectAll()
    .where("agent_id", "=", row.agent_id)
    .where("tool_call_id", "=", row.tool_call_id)
    .where("state", "=", "approved")
    .where(
      sql<boolean>`user_id is not distinct from ${row.user_id} and team_id is not distinct from ${row.team_id}`,
    )
    .where("answered_at", "<", row.asked_at)
    .where(isThere)
    .orderBy("answered_at", "desc")
    .limit(1)
    .executeTakeFirst();
}
