import { checkForm } from "../contract/form-fields.ts";
import {
  answerInboxItem,
  countInbox,
  getInboxItem,
  type InboxAnswer,
  type InboxItem,
  type InboxSummary,
  listInbox,
} from "../contract/inbox.ts";
import type { BrainSource } from "../contract/knowledge.ts";
import { getSession } from "../contract/sessions.ts";
import { aSession } from "./conversations.ts";
import type { MockService } from "./msw.ts";
import { Refusal } from "./msw-state.ts";

export const ada = { id: "user_ada", first_name: "Ada", last_name: "Lovelace", email: "ada@example.com" };
export const bob = { id: "user_bob", first_name: "Bob", last_name: "Ross", email: null };

const minute = 60_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** A tool that sends letters. */
export const mailTool = {
  tool_call_id: "mail__send",
  name: "send",
  server: { id: "mail", name: "Mail", host: "mail.example" },
  description: "Sends a letter.",
  input_schema: { type: "object" },
  definition_hash: "sha256-abc",
};

/** A call of a tool that waits for Ada. */
export function aWaitingCall(part: Partial<InboxItem> = {}): InboxItem {
  const argumentsText = part.arguments_text ?? '{"to":["harbour@example.com"],"urgent":false}';
  return {
    id: "ask_mail",
    kind: "tool_call",
    state: "waiting",
    title: "send",
    agent: { id: "agent_clerk", name: "Clerk" },
    session: { id: "int_1", name: "Which berths are free?" },
    run: null,
    team: null,
    started_by: ada,
    tool: mailTool,
    arguments_preview: argumentsText,
    asked_at: inMs(-5 * minute),
    lapses_at: inMs(7 * 24 * 60 * minute),
    ended_at: null,
    may_answer: true,
    answer: null,
    message_id: "msg_2",
    part_id: "tool-1-0",
    arguments_text: argumentsText,
    arguments: {},
    last_approved: null,
    asked_again_for: null,
    form: null,
    who: { rule: "person", people: [ada], count: 1 },
    may_edit: true,
    ...part,
  };
}

/** What a node of a flow asks Ada, with a form of a number and a choice. */
export function aFlowQuestion(part: Partial<InboxItem> = {}): InboxItem {
  const field = {
    help: null,
    required: false,
    default: null,
    min: null,
    max: null,
    whole: false,
    choices: [],
  };
  return {
    ...aWaitingCall(),
    ...{ id: "ask_berth", kind: "flow", title: "Give the berth to the Halcyon?" },
    ...{ agent: null, session: null, tool: null, arguments_preview: "", may_edit: false },
    ...{ message_id: null, part_id: null, arguments_text: null, arguments: null },
    run: {
      ...{ run_id: "run_berths", saved_item_id: "flow_berths", saved_item_name: "Assign berths" },
      ...{ node: "ask", readable: true },
    },
    form: {
      question: "Give the berth to the Halcyon?",
      details: "She is 80 m long.",
      fields: [
        {
          ...field,
          name: "nights",
          type: "number",
          label: "Nights",
          required: true,
          min: 1,
          max: 14,
          whole: true,
        },
        { ...field, name: "berth", type: "choice", label: "Berth", choices: ["North", "South"] },
      ],
    },
    ...part,
  };
}

/** A knowledge source that waits for Ada's approval, or, with `approved_at`, has it. */
export function aWaitingSource({
  id,
  name,
  approved_at: at,
  approved_by: by,
  ...source
}: BrainSource): InboxItem {
  const item = aWaitingCall({
    ...{ id, kind: "source", title: name, agent: null, session: null, tool: null, arguments_preview: "" },
    ...{ message_id: null, part_id: null, arguments_text: null, arguments: null, may_edit: false },
    ...{ asked_at: source.created_at, lapses_at: null },
    may_answer: !at && source.created_by_user_id !== bob.id,
    started_by: source.created_by_user_id === bob.id ? bob : ada,
    source: {
      scope: source.scope,
      estimated_credits: source.estimated_credits ?? 0,
      document_count: source.document_count ?? 0,
    },
  });
  if (!at) return item;
  const took_ms = Date.parse(at) - Date.parse(source.created_at);
  return answered(item, { at, by: by ?? null, took_ms });
}

/** The same, answered by Bob a minute after it was asked. */
export function answered(question: InboxItem, part: Partial<InboxAnswer> = {}): InboxItem {
  const answer: InboxAnswer = {
    answer: "approve",
    by: bob,
    at: inMs(-4 * minute),
    took_ms: minute,
    reason: null,
    arguments_text: null,
    values: null,
    ...part,
  };
  const state = answer.answer === "refuse" ? "refused" : "approved";
  return { ...question, state, answer, ended_at: answer.at, may_answer: false, may_edit: false };
}

/** Lets the mock have these questions, and take answers to them as the service does. @returns the questions as they are */
export function withQuestions(service: MockService, ...questions: InboxItem[]): Map<string, InboxItem> {
  const all = new Map(questions.map((one) => [one.id, one]));
  const at = (time: string | null) => Date.parse(time ?? "") || 0;
  const stake = ({ tokens = 0 }: InboxItem) => tokens;
  const waiting = (order = "oldest") =>
    [...all.values()]
      .filter(({ state }) => state === "waiting")
      .sort((a, b) => at(a.asked_at) - at(b.asked_at))
      .sort((a, b) => (order === "dearest" ? stake(b) - stake(a) : 0));
  const answers = () =>
    [...all.values()]
      .filter(({ state }) => state !== "waiting")
      .sort((a, b) => at(b.ended_at) - at(a.ended_at));
  service.override(listInbox, ({ query }) => ({
    items: (query.state === "answered" ? answers() : waiting(query.order))
      .filter((one) => query.mine !== true || one.may_answer)
      .map(summaryOf),
    next_cursor: null,
  }));
  service.override(countInbox, () => ({
    waiting: waiting().filter((one) => one.may_answer).length,
    oldest_at: waiting()[0]?.asked_at ?? null,
  }));
  service.override(getInboxItem, ({ params }) => {
    const item = all.get(params.item_id);
    return item ? { item } : new Refusal("not_found");
  });
  // Whoever looks at a call is also shown what was said before it.
  service.override(getSession, aSession({ messages: [] }));
  service.override(answerInboxItem, ({ params, body }) => {
    const item = all.get(params.item_id);
    if (!item) return new Refusal("not_found");
    if (item.state !== "waiting")
      return new Refusal("already_answered", { details: { answer: item.answer, state: item.state } });
    const form =
      item.form && body.answer === "approve" ? checkForm(item.form.fields, body.values ?? {}) : null;
    if (form?.ok === false) {
      const param = `values.${form.name}`;
      return new Refusal("invalid_body", { message: `${param} ${form.problem}.`, param });
    }
    const next = answered(item, {
      answer: body.answer,
      by: ada,
      reason: body.reason ?? null,
      arguments_text: body.arguments_text ?? null,
      values: form?.values ?? null,
    });
    all.set(item.id, next);
    return { item: next };
  });
  return all;
}

function summaryOf(item: InboxItem): InboxSummary {
  const { id, kind, state, title, agent, session, run, team, started_by, arguments_preview, asked_at } = item;
  const { lapses_at, ended_at, may_answer, answer } = item;
  const tool = item.tool && {
    tool_call_id: item.tool.tool_call_id,
    name: item.tool.name,
    server: item.tool.server,
  };
  return {
    ...{ id, kind, state, title, agent, session, run, team, started_by, tool, arguments_preview, asked_at },
    ...{ lapses_at, ended_at, may_answer, answer, tokens: item.tokens, source: item.source },
  };
}
