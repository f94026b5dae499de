import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { formField, formValues } from "./form-fields.ts";
import { inboxAnswers, inboxState } from "./inbox-states.ts";
import { boundedText, sectionSize, textLimits } from "./limits.ts";
import { openEnum } from "./open-enum.ts";
import { count, flag, jsonObject, nextCursor, page, person, text, utcTime } from "./wire.ts";

/**
 * Who may answer, decided by code when the answer comes: `person`, for whom the turn or run acts; `operators` of the team (all
 * of its members, where it names none); `people` that the agent or flow names. A team's key never may, nor a viewer of
 * the team. What cannot be (a person where there is none, operators without a team) is the next of these.
 */
const whoMayAnswer = z.object({
  rule: openEnum(["person", "operators", "people"]),
  /** Those whom the rule means now, at most fifty of them. */
  people: z.array(person),
  /** How many it means in all. */
  count,
});

/** The answer that counted. Null in its item while nobody answered. */
export const inboxAnswer = z.object({
  answer: openEnum(inboxAnswers),
  by: z.nullable(person),
  at: utcTime,
  /** From the question to the answer, in milliseconds. */
  took_ms: count,
  /** Of a refusal: what the model or flow was told. Of an approval: what the person noted. */
  reason: z.nullable(z.string()),
  /** Of `approve_edited`: the JSON text of the arguments that ran in place of the model's. */
  arguments_text: z.nullable(z.string()),
  /** Of an approved form: what was filled in, by the names of the form's fields; null for an empty one. */
  values: z.nullable(formValues),
});
export type InboxAnswer = z.output<typeof inboxAnswer>;

const named = z.object({ id: z.string(), name: z.nullable(z.string()) });

const toolSummary = {
  /** What the model calls it, and the agent's settings: a built-in tool's name, or `{server_id}__{tool_name}`. */
  tool_call_id: z.string(),
  name: z.string(),
  /** Null: a tool of the service itself. `host` is null where the server is a command on the service's machine. */
  server: z.nullable(
    z.object({ id: z.string(), name: z.nullable(z.string()), host: z.nullable(z.string()) }),
  ),
};

const summary = {
  id: z.string(),
  /**
   * `tool_call`: an agent wants to call a tool. `flow`: a node of a flow asks. `server`: the MCP server of a tool that an
   * agent or a node of a flow has called asks; the call waits, and is made again with the answer. `source`: a knowledge source whose indexing
   * somebody has to agree to; it is approved, or refused by deleting it, as a source (§4.12), and its id is the source's.
   */
  kind: openEnum(["tool_call", "flow", "server", "source"]),
  state: inboxState,
  /** What is asked, on one line: the tool's name, the flow's question, the source's name. */
  title: z.string(),
  /** Of a `tool_call`, and of a `server` where an agent has called its tool, as is `session`. */
  agent: z.nullable(named),
  /** The conversation; its name is null where the caller may not read it. */
  session: z.nullable(named),
  /** The run whose node asks, or has called the tool whose server asks. `readable`: whether the caller may see it. */
  run: z.nullable(
    z.object({
      run_id: z.string(),
      saved_item_id: z.string(),
      saved_item_name: z.string(),
      node: z.string(),
      readable: z.boolean(),
      /** Input name to value, by which one tells many runs of a flow apart; long values may be cut. Absent unless `readable`. */
      inputs: z.optional(jsonObject),
    }),
  ),
  team: z.nullable(named),
  /** For whom the turn or run acts: who started it. Null where a team's key did, for nobody. */
  started_by: z.nullable(person),
  tool: z.nullable(z.object(toolSummary)),
  /** The beginning of the arguments on one line, for a list; empty where there are none. */
  arguments_preview: z.string(),
  asked_at: utcTime,
  /** When it lapses unless somebody answers; null: never. */
  lapses_at: z.nullable(utcTime),
  /** When it stopped waiting, in whatever way; null while it waits. */
  ended_at: z.nullable(utcTime),
  /** Whether the caller may answer now: it waits, and the rule means them. */
  may_answer: z.boolean(),
  /**
   * What is at stake, in tokens of models. Of a question: all that the conversations in its tree had used when it was asked,
   * which is lost where nobody answers. Of a `source`: what approving it has read.
   */
  tokens: z.optional(count),
  /** Of a `source`: whose it is, and what approving it charges. */
  source: z.optional(
    z.nullable(
      z.object({
        scope: z.string(),
        estimated_credits: z.number(),
        document_count: count,
      }),
    ),
  ),
  answer: z.nullable(inboxAnswer),
};

/** A question in a list. */
export const inboxSummary = z.object(summary);
export type InboxSummary = z.output<typeof inboxSummary>;

/** A question with all that is needed to decide. */
export const inboxItem = z.object({
  ...summary,
  /** The agent's message and its part that show the call in the conversation. */
  message_id: z.nullable(z.string()),
  part_id: z.nullable(z.string()),
  /** The tool as it described itself when it was asked about; an approval is of this definition alone. */
  tool: z.nullable(
    z.object({
      ...toolSummary,
      description: z.nullable(z.string()),
      /** A JSON Schema, as the tool gave it. */
      input_schema: jsonObject,
      definition_hash: z.string(),
    }),
  ),
  /** What runs, to the byte, if it is approved as it is: JSON text. */
  arguments_text: z.nullable(z.string()),
  /** The same, read. */
  arguments: z.nullable(jsonObject),
  /** What was approved last for the same agent, tool and owner of conversations; null where nothing was. */
  last_approved: z.nullable(
    z.object({ item_id: z.string(), at: utcTime, by: z.nullable(person), arguments_text: z.string() }),
  ),
  /** The question in whose place this stands, because the tool changed. */
  asked_again_for: z.nullable(z.string()),
  /**
   * What a `flow` or `server` asks: its question whole, what it adds to it, and the fields to fill in with an approval. A
   * server's are its own words, without characters that are not seen; never a field for a secret.
   */
  form: z.nullable(
    z.object({ question: z.string(), details: z.nullable(z.string()), fields: z.array(formField) }),
  ),
  /**
   * Of a `server`: a page that the person is to open by themselves, before `approve` says that they have. `host` as it is
   * written in the address; `is_foreign`: it is not the server's. Null: it asks for no such thing.
   */
  link: z.optional(z.nullable(z.object({ url: z.string(), host: z.string(), is_foreign: z.boolean() }))),
  who: whoMayAnswer,
  /** Whether the caller may answer with other arguments. */
  may_edit: z.boolean(),
});
export type InboxItem = z.output<typeof inboxItem>;

const own = { tier: "own", capability: "inbox", section: "Inbox" } as const;
const byId = z.object({ item_id: text });

/**
 * Own: what waits for people: what agents, flows and MCP servers asked, and knowledge sources whose indexing has to be approved,
 * once their files are counted. Those who may see the conversation or run see its questions, and so do those who may answer;
 * a source is seen by whoever may read it.
 * `waiting` comes oldest first, or with `order=dearest` by what is at stake (`tokens`), the most first, and the oldest of
 * as much; `answered` (all that does not wait any more) newest first, in whatever order is asked for.
 */
export const listInbox = endpoint({
  ...own,
  name: "listInbox",
  summary: "List what waits for an answer, or was answered",
  method: "GET",
  path: "/inbox",
  kind: "read",
  query: z.object({
    state: z.optional(z.enum(["waiting", "answered"])),
    order: z.optional(z.enum(["oldest", "dearest"])),
    /** `true`: only what the rule lets the caller answer, or let them. */
    mine: z.optional(flag),
    /** Only questions of this conversation. */
    session_id: z.optional(text),
    /** Only questions of this run's own nodes. */
    run_id: z.optional(text),
    ...page,
  }),
  response: z.object({ items: z.array(inboxSummary), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});

/** Own: how many questions and knowledge sources wait that the caller may answer, for a badge; it counts to a thousand and no further. */
export const countInbox = endpoint({
  ...own,
  name: "countInbox",
  summary: "Count what waits for the caller",
  method: "GET",
  path: "/inbox/count",
  kind: "read",
  response: z.object({
    waiting: count,
    /** When the oldest of them was asked. */
    oldest_at: z.nullable(utcTime),
  }),
  conditional: true,
});

/** Own: one question. `not_found` also for those who may not see it. */
export const getInboxItem = endpoint({
  ...own,
  name: "getInboxItem",
  summary: "Get what an agent asked",
  method: "GET",
  path: "/inbox/{item_id}",
  kind: "read",
  params: byId,
  response: z.object({ item: inboxItem }),
  conditional: true,
  errors: ["not_found"],
});

/**
 * Own: answers a question. Of any number at once one counts: the others are `already_answered`, whose `details` hold the
 * `answer` and the `state`. `approval_lapsed`, `approval_withdrawn`: too late. `tool_definition_changed`: nothing runs, and
 * the turn asks again. `invalid_body` names the field of edited arguments that does not fit the tool's schema as
 * `arguments_text.<path>`, and that of a form as `values.<name>`. `forbidden` for who may see it and not answer. The same answer of the same person again is 200.
 * A `source` is `invalid_body`: it is approved as a source.
 */
export const answerInboxItem = endpoint({
  ...own,
  name: "answerInboxItem",
  summary: "Answer what an agent asked",
  method: "POST",
  path: "/inbox/{item_id}/answer",
  kind: "write",
  params: byId,
  body: z.object({
    answer: z.enum(inboxAnswers),
    /** With `approve_edited` alone: the JSON text of an object. */
    arguments_text: z.nullish(boundedText(textLimits.section)),
    /** With `approve` of a form that has fields: what was filled in, by their names. */
    values: z.nullish(jsonObject.check(sectionSize)),
    /** Of a refusal: what the model or flow is told. */
    reason: z.nullish(boundedText(textLimits.note)),
  }),
  response: z.object({ item: inboxItem }),
  errors: [
    "not_found",
    "already_answered",
    "approval_lapsed",
    "approval_withdrawn",
    "tool_definition_changed",
  ],
});

/**
 * Own: what an agent's `metadata.approvals` cannot go below, and whom it may name; for whoever may see the agent. A call is
 * made as the strictest of the floors and the agent's own setting say: `never` before `ask` before `run`.
 */
export const getAgentApprovals = endpoint({
  ...own,
  name: "getAgentApprovals",
  summary: "Which tool calls of an agent must be asked for, whatever it says",
  method: "GET",
  path: "/agents/{agent_id}/approvals",
  kind: "read",
  params: z.object({ agent_id: text }),
  response: z.object({
    /** Of the workspace, and of the agent's team. The strictest that fits counts. */
    floors: z.array(
      z.object({
        /** A `tool_call_id`, in which `*` stands for any characters. */
        tools: z.string(),
        at_least: openEnum(["ask", "never"]),
        /** The team whose floor it is; null: everybody's. */
        team_id: z.nullable(z.string()),
      }),
    ),
    /** Who answers with the rule `operators`. */
    operators: z.array(person),
    /** Whom the rule `people` may name. */
    candidates: z.array(person),
  }),
  errors: ["not_found"],
});
