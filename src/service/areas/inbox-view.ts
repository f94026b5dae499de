import type { InboxAnswer, InboxItem, InboxSummary } from "../../contract/inbox.ts";
import { loadPeople, type PersonRow, showPerson } from "../agents/agent-view.ts";
import { isCall, isOfServer } from "../agents/approvals/answered-call.ts";
import type { Context } from "../context.ts";
import { answerersOf } from "../permission/answerers.ts";
import { mayReadExecution } from "../permission/executions.ts";
import type { QuestionRow } from "../questions/answer.ts";
import { questionOf, titleOf } from "../questions/flow-question.ts";
import type { Caller } from "./handler.ts";
import { showCall, showServerQuestion, toolSummary } from "./inbox-call.ts";
import type { InboxEntry } from "./inbox-list.ts";
import { type Reading, runOf, type SeenQuestion, seenQuestions, stateOf } from "./inbox-rows.ts";
import { peopleOfSources, seenSources, showSourceSummary } from "./inbox-source.ts";
import { inOrder } from "./newest.ts";

/** What lists show of entries of the inbox, in their order; without those that are gone or not for the caller any more. */
export async function showEntries(
  context: Context,
  caller: Caller,
  entries: readonly InboxEntry[],
  reading: Exclude<Reading, "whole">,
): Promise<InboxSummary[]> {
  const idsOf = (source: boolean) => entries.flatMap(({ id, isSource }) => (isSource === source ? [id] : []));
  const rows = await seenQuestions(context, caller, idsOf(false), reading);
  const sources = await seenSources(context, caller, idsOf(true));
  const people = await loadPeople(context.store.db, [
    ...rows.flatMap(({ user_id, answered_by }) => [user_id, answered_by]),
    ...peopleOfSources(sources),
  ]);
  return inOrder(
    entries.map(({ id }) => id),
    [
      ...rows.map((row) => showSummary(context, caller, row, people)),
      ...sources.map((row) => showSourceSummary(caller, row, people)),
    ],
  );
}

/** What lists show of questions. */
export async function showSummaries(
  context: Context,
  caller: Caller,
  rows: readonly SeenQuestion[],
): Promise<InboxSummary[]> {
  const people = await loadPeople(
    context.store.db,
    rows.flatMap(({ user_id, answered_by }) => [user_id, answered_by]),
  );
  return rows.map((row) => showSummary(context, caller, row, people));
}

function showSummary(
  context: Context,
  caller: Caller,
  row: SeenQuestion,
  people: ReadonlyMap<string, PersonRow>,
): InboxSummary {
  const mayRead = mayReadExecution(caller, { userId: row.user_id, teamId: row.team_id });
  const starter = row.user_id === null ? undefined : people.get(row.user_id);
  const state = stateOf(row);
  const ended = row.ended_at ?? (state === "lapsed" ? row.lapses_at : null);
  return {
    id: row.id,
    kind: row.kind,
    state,
    ...(isCall(row) || isOfServer(row) ? toolSummary(context, row, mayRead) : flowSummary(row, mayRead)),
    team: row.team_id === null ? null : { id: row.team_id, name: row.team_name },
    started_by: starter === undefined ? null : showPerson(starter),
    asked_at: row.asked_at.toISOString(),
    lapses_at: row.lapses_at.toISOString(),
    ended_at: ended?.toISOString() ?? null,
    may_answer: state === "waiting" && row.may_answer,
    tokens: Number(row.tokens),
    source: null,
    answer: showAnswer(row, people),
  };
}

/** What a list shows of a question that a flow asks. */
function flowSummary(row: SeenQuestion, mayRead: boolean) {
  return {
    title: titleOf(row),
    ...{ agent: null, session: null, tool: null, arguments_preview: "" },
    run: runOf(row, mayRead),
  };
}

function showAnswer(row: QuestionRow, people: ReadonlyMap<string, PersonRow>): InboxAnswer | null {
  if (row.answer === null || row.answered_at === null) return null;
  const by = row.answered_by === null ? undefined : people.get(row.answered_by);
  return {
    answer: row.answer,
    by: by === undefined ? null : showPerson(by),
    at: row.answered_at.toISOString(),
    took_ms: Math.max(0, row.answered_at.getTime() - row.asked_at.getTime()),
    reason: row.reason,
    arguments_text: row.edited_arguments,
    values: row.form_values === null ? null : { ...row.form_values },
  };
}

/** A question with all that is needed to decide. */
export async function showItem(context: Context, caller: Caller, row: SeenQuestion): Promise<InboxItem> {
  const { db } = context.store;
  const answerers = await answerersOf(db, context.approvals.operators, row);
  const people = await loadPeople(db, [row.user_id, row.answered_by]);
  const summary = showSummary(context, caller, row, people);
  const about = isCall(row)
    ? await showCall(context, row, summary.may_answer)
    : isOfServer(row)
      ? await showServerQuestion(context, row)
      : { ...ofNoCall, form: questionOf(row) };
  return {
    ...summary,
    ...about,
    who: { rule: row.who, people: answerers.people.map(showPerson), count: answerers.count },
  };
}

const ofNoCall = {
  ...{ message_id: null, part_id: null, tool: null, arguments_text: null, arguments: null },
  ...{ last_approved: null, asked_again_for: null, may_edit: false },
};
