import type { endpoints } from "../../contract/endpoints.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { checkForm } from "../../contract/form-fields.ts";
import { loadPeople } from "../agents/agent-view.ts";
import { type CallRow, callAnswer, isCall, isOfServer } from "../agents/approvals/answered-call.ts";
import { checkArguments } from "../agents/approvals/check-arguments.ts";
import { credentialsOwner } from "../agents/tools/mcp-tools.ts";
import { changesOf } from "../audit/changes.ts";
import type { AuditEvent } from "../audit/entry.ts";
import { nothingChanged, type Recorded, record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { McpError } from "../mcp/mcp-error.ts";
import { answerQuestion, closeChanged, type GivenAnswer, type QuestionRow } from "../questions/answer.ts";
import { flowAnswerOf, questionOf } from "../questions/flow-question.ts";
import { serverAnswerOf } from "../questions/server-questions.ts";
import { invalidField, ServiceError } from "../service-error.ts";
import type { JsonValue } from "../store/json.ts";
import type { Caller, Handler, Request } from "./handler.ts";
import { definitionOf, toolNameOf } from "./inbox-call.ts";
import { type SeenQuestion, stateOf } from "./inbox-rows.ts";
import { seenSources } from "./inbox-source.ts";
import { showItem, showSummaries } from "./inbox-view.ts";
import { seenItem } from "./seen-item.ts";

type AnswerItem = typeof endpoints.answerInboxItem;

/** Own: answers a question, once. Whether the caller may is decided here, by the question's rule alone. */
export const answerItem: Handler<AnswerItem> = async (context, request) => {
  const { caller, params, body } = request;
  const [source] = await seenSources(context, caller, [params.item_id]);
  if (source) throw new ServiceError("invalid_body", { message: sourceWords, param: "answer" });
  const row = await seenItem(context, caller, params.item_id);
  const userId = answerer(caller, row);
  const given = readAnswer(body, row, userId);
  if (row.is_waiting && isCall(row) && (await hasChanged(context, row))) {
    const closed = await closeChanged(context.store, row, { answer: "tool_changed" });
    if (closed) throw new ServiceError("tool_definition_changed", { message: changedWords });
  }
  const outputOf = await outputFor(context, userId);
  let recorded: Recorded = nothingChanged();
  const counts = await answerQuestion(context.store, row, given, outputOf, async (tx) => {
    recorded = await record(tx, request, answeredEvent(row, given));
  });
  const now = await seenItem(context, caller, row.id);
  if (!counts && !isSame(now, given)) throw await tooLate(context, caller, now);
  return { type: "body", body: { item: await showItem(context, caller, now) }, recorded };
};

const sourceWords =
  "answer cannot be given here: a knowledge source is approved by POST /brain/sources/{source_id}/approve, and refused by deleting it.";

/** Of what was edited, filled in or given as a reason only that it was. */
function answeredEvent(row: SeenQuestion, { answer, editedText, values, reason }: GivenAnswer): AuditEvent {
  const name = isCall(row) || isOfServer(row) ? toolNameOf(row) : row.flow_name;
  const given = { answer, arguments: editedText, values, reason };
  return {
    action: "question.answer",
    object: { kind: "question", id: row.id, name },
    teamId: row.team_id,
    changes: changesOf("question", null, given),
  };
}

/** @throws ServiceError `forbidden` */
function answerer(caller: Caller, row: SeenQuestion): string {
  if (caller.kind === "team") {
    throw new ServiceError("forbidden", {
      message: "A person has to answer this: a team key cannot.",
    });
  }
  if (!row.may_answer) throw new ServiceError("forbidden", { message: "Others have to answer this." });
  return caller.userId;
}

/** @throws ServiceError `invalid_body` naming the field */
function readAnswer(body: Request<AnswerItem>["body"], row: SeenQuestion, userId: string): GivenAnswer {
  const { answer } = body;
  if (answer === "leave" && !isOfServer(row))
    throw invalidField("answer", "must be approve or refuse: leave belongs to questions of servers alone");
  const reason = body.reason?.trim() ? body.reason : null;
  const editedText = isCall(row) ? editedArguments(body, row) : nothingEdited(body);
  const values = isCall(row) ? nothingFilledIn(body) : filledIn(body, row);
  return { answer, userId, editedText, values, reason };
}

type Body = Request<AnswerItem>["body"];

function editedArguments({ answer, arguments_text: text = null }: Body, row: CallRow): string | null {
  if (answer !== "approve_edited") {
    if (text !== null) throw invalidField("arguments_text", "belongs to approve_edited alone");
    return null;
  }
  if (text === null) throw invalidField("arguments_text", "is missing");
  const checked = checkArguments(text, definitionOf(row).parameters);
  if (checked.ok) return checked.text;
  throw invalidField(
    checked.path === "" ? "arguments_text" : `arguments_text.${checked.path}`,
    checked.problem,
  );
}

function nothingEdited({ answer, arguments_text: text = null }: Body): null {
  if (answer === "approve_edited")
    throw invalidField("answer", "must be approve or refuse: there is no call to edit");
  if (text !== null) throw invalidField("arguments_text", "belongs to calls of tools alone");
  return null;
}

function nothingFilledIn({ values = null }: Body): null {
  if (values !== null) throw invalidField("values", "belongs to questions with a form alone");
  return null;
}

function filledIn({ answer, values = null }: Body, row: SeenQuestion): GivenAnswer["values"] {
  if (answer !== "approve") {
    if (values !== null) throw invalidField("values", "belongs to approve alone");
    return null;
  }
  const checked = checkForm(questionOf(row).fields, values ?? {});
  if (!checked.ok) throw invalidField(`values.${checked.name}`, checked.problem);
  return checked.values;
}

/** What the step that waited ends with, by what asked. */
async function outputFor({ store }: Context, userId: string): Promise<(answered: QuestionRow) => JsonValue> {
  const by = (await loadPeople(store.db, [userId])).get(userId);
  const name = [by?.first_name, by?.last_name].filter(Boolean).join(" ") || by?.email || userId;
  return (answered) => {
    if (isCall(answered)) return { ...callAnswer(answered) };
    if (isOfServer(answered)) return serverAnswerOf(answered.answer, answered.form_values);
    return { ...flowAnswerOf(answered, { id: userId, name, email: by?.email ?? null }) };
  };
}

const changedWords =
  "The tool is not what it was when this was asked: nothing was run, and the agent asks again.";

/** Whether its server has given another definition since; whoever runs it looks again. */
async function hasChanged({ mcp }: Context, row: CallRow): Promise<boolean> {
  const { server, name } = definitionOf(row);
  if (server === null) return false;
  const owner = credentialsOwner(server.credentials, { userId: row.user_id, teamId: row.team_id });
  try {
    const hash = await mcp.lastHash(server.id, owner, name);
    return hash !== null && hash !== row.definition_hash;
  } catch (error) {
    if (error instanceof McpError) return false;
    throw error;
  }
}

/** Whether the very same answer counted before: it was sent twice. */
function isSame(row: SeenQuestion, { answer, userId, editedText, values, reason }: GivenAnswer): boolean {
  const { answer: was, answered_by, edited_arguments, form_values, reason: note } = row;
  const isSameForm = JSON.stringify(form_values) === JSON.stringify(values);
  return (
    was === answer &&
    answered_by === userId &&
    edited_arguments === editedText &&
    isSameForm &&
    note === reason
  );
}

const codes: Partial<Record<SeenQuestion["state"], ErrorCode>> = {
  lapsed: "approval_lapsed",
  withdrawn: "approval_withdrawn",
  // It waits in the table, and nothing waits for it.
  waiting: "approval_withdrawn",
};

async function tooLate(context: Context, caller: Caller, row: SeenQuestion): Promise<ServiceError> {
  const state = stateOf(row);
  const [summary] = await showSummaries(context, caller, [row]);
  const answer = summary?.answer ?? null;
  const details = { state, answer };
  if (state === "tool_changed") {
    return new ServiceError("tool_definition_changed", { message: changedWords, details });
  }
  const code = codes[state];
  if (code !== undefined) return new ServiceError(code, { details });
  const { first_name = null, last_name = null, email = null } = answer?.by ?? {};
  const who = [first_name, last_name].filter(Boolean).join(" ") || email || "Someone";
  const did =
    state === "refused" ? "refused" : row.answer === "approve_edited" ? "changed and approved" : "approved";
  return new ServiceError("already_answered", { message: `${who} was first and has ${did} this.`, details });
}
