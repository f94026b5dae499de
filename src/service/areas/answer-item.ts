import type { endpoints } from "../../contract/endpoints.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { answerApproval, closeChanged, type GivenAnswer } from "../agents/approvals/answer.ts";
import { checkArguments } from "../agents/approvals/check-arguments.ts";
import { credentialsOwner } from "../agents/tools/mcp-tools.ts";
import type { Context } from "../context.ts";
import { McpError } from "../mcp/mcp-error.ts";
import { ServiceError } from "../service-error.ts";
import type { Caller, Handler, Request } from "./handler.ts";
import { definitionOf, type SeenApproval, showItem, showSummaries, stateOf } from "./inbox-view.ts";
import { seenItem } from "./seen-item.ts";

type AnswerItem = typeof endpoints.answerInboxItem;

/** Own: answers a question, once. Whether the caller may is decided here, by the question's rule alone. */
export const answerItem: Handler<AnswerItem> = async (context, { caller, params, body }) => {
  const row = await seenItem(context, caller, params.item_id);
  const userId = answerer(caller, row);
  const given = readAnswer(body, row, userId);
  if (row.is_waiting && (await hasChanged(context, row)) && (await closeChanged(context.store, row))) {
    throw new ServiceError("tool_definition_changed", { message: changedWords });
  }
  const counts = await answerApproval(context.store, row, given);
  const now = await seenItem(context, caller, row.id);
  if (!counts && !isSame(now, given)) throw await tooLate(context, caller, now);
  return { type: "body", body: { item: await showItem(context, caller, now) } };
};

/** @throws ServiceError `forbidden` */
function answerer(caller: Caller, row: SeenApproval): string {
  if (caller.kind === "team") {
    throw new ServiceError("forbidden", {
      message: "A person has to answer this: a team key cannot.",
    });
  }
  if (!row.may_answer) throw new ServiceError("forbidden", { message: "Others have to answer this." });
  return caller.userId;
}

/** @throws ServiceError `invalid_body` naming the field */
function readAnswer(body: Request<AnswerItem>["body"], row: SeenApproval, userId: string): GivenAnswer {
  const { answer } = body;
  const reason = body.reason?.trim() ? body.reason : null;
  const text = body.arguments_text ?? null;
  if (answer !== "approve_edited") {
    if (text !== null) throw invalid("arguments_text", "belongs to approve_edited alone");
    return { answer, userId, editedText: null, reason };
  }
  if (text === null) throw invalid("arguments_text", "is missing");
  const checked = checkArguments(text, definitionOf(row).parameters);
  if (!checked.ok) {
    throw invalid(checked.path === "" ? "arguments_text" : `arguments_text.${checked.path}`, checked.problem);
  }
  return { answer, userId, editedText: checked.text, reason };
}

const invalid = (param: string, problem: string) =>
  new ServiceError("invalid_body", { message: `${param} ${problem}.`, param });

const changedWords =
  "The tool is not what it was when this was asked: nothing was run, and the agent asks again.";

/** Whether its server has given another definition since; whoever runs it looks again. */
async function hasChanged({ mcp }: Context, row: SeenApproval): Promise<boolean> {
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
function isSame(row: SeenApproval, { answer, userId, editedText, reason }: GivenAnswer): boolean {
  const { answer: was, answered_by, edited_arguments, reason: note } = row;
  return was === answer && answered_by === userId && edited_arguments === editedText && note === reason;
}

const codes: Partial<Record<SeenApproval["state"], ErrorCode>> = {
  lapsed: "approval_lapsed",
  withdrawn: "approval_withdrawn",
  // It waits in the table, and nothing waits for it.
  waiting: "approval_withdrawn",
};

async function tooLate(context: Context, caller: Caller, row: SeenApproval): Promise<ServiceError> {
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
