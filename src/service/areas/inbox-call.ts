import { sql } from "kysely";
import { z } from "zod";
import type { InboxItem, InboxSummary } from "../../contract/inbox.ts";
import { loadPeople, showPerson } from "../agents/agent-view.ts";
import {
  type CallRow,
  isOfConversation,
  isOfServer,
  type ToolRow,
} from "../agents/approvals/answered-call.ts";
import { isCheckable } from "../agents/approvals/check-arguments.ts";
import type { Context } from "../context.ts";
import { shownHost } from "../mcp/config.ts";
import type { QuestionRow } from "../questions/answer.ts";
import { questionOf, titleOf } from "../questions/flow-question.ts";
import { isThere } from "./inbox-list.ts";
import { previewCharacters, runOf, type SeenQuestion } from "./inbox-rows.ts";

/** A tool's words as they were written with the question. */
const storedDefinition = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.json()),
  server: z.object({ id: z.string(), credentials: z.enum(["personal", "team"]) }).nullable(),
});
export type StoredDefinition = z.output<typeof storedDefinition>;

/** The tool as it described itself when it was asked about. */
export function definitionOf(row: Pick<CallRow, "definition">): StoredDefinition {
  return storedDefinition.parse(row.definition);
}

/** The tool that was called when its server asked, and the page that it wants opened. */
function askingTool(row: Pick<ToolRow, "definition">) {
  return storedAsking.parse(row.definition);
}

/** The name of the tool that a question is about. */
export const toolNameOf = (row: Pick<ToolRow, "definition">): string => askingName.parse(row.definition).name;

const askingName = storedDefinition.pick({ name: true });
const storedAsking = storedDefinition
  .pick({ name: true, server: true })
  .extend({ link: z.object({ url: z.string(), host: z.string() }).nullable() });

type SeenCall = SeenQuestion & CallRow;

/** What a list shows of a call that an agent wants to make, or in which a server asks. */
export function toolSummary(
  context: Context,
  row: SeenQuestion & ToolRow,
  mayRead: boolean,
): Pick<InboxSummary, "title" | "agent" | "session" | "run" | "tool" | "arguments_preview"> {
  const { name, server } = isOfServer(row) ? askingTool(row) : definitionOf(row);
  return {
    title: isOfServer(row) ? titleOf(row) : name,
    ...(isOfConversation(row)
      ? {
          agent: { id: row.alias ?? row.agent_id, name: row.agent_name },
          session: { id: row.interaction_id, name: mayRead ? row.session_name : null },
          run: null,
        }
      : { agent: null, session: null, run: runOf(row, mayRead) }),
    tool: { tool_call_id: row.tool_call_id, name, server: server && showServer(context, server.id) },
    arguments_preview: [...row.arguments].slice(0, previewCharacters).join(""),
  };
}

function showServer({ mcp }: Context, id: string) {
  const config = mcp.servers.find((server) => server.id === id);
  return { id, name: config?.name ?? null, host: config === undefined ? null : shownHost(config) };
}

type ShownCall = Pick<
  InboxItem,
  | "message_id"
  | "part_id"
  | "tool"
  | "arguments_text"
  | "arguments"
  | "last_approved"
  | "asked_again_for"
  | "form"
  | "may_edit"
>;

/** All that it takes to decide about a call. */
export async function showCall(context: Context, row: SeenCall, mayAnswer: boolean): Promise<ShownCall> {
  const definition = definitionOf(row);
  const last = await lastApproved(context, row);
  const { name, server } = definition;
  return {
    ...(await placeOf(context, row)),
    tool: {
      ...{ tool_call_id: row.tool_call_id, name, server: server && showServer(context, server.id) },
      description: definition.description === "" ? null : definition.description,
      input_schema: definition.parameters,
      definition_hash: row.definition_hash,
    },
    arguments_text: row.arguments,
    arguments: JSON.parse(row.arguments),
    last_approved: last === undefined ? null : await showLast(context, last),
    asked_again_for: row.again_for,
    form: null,
    may_edit: mayAnswer && isCheckable(definition.parameters),
  };
}

/** Where the conversation shows the call. */
async function placeOf({ store }: Context, row: SeenCall) {
  const message = await store.db
    .selectFrom("messages")
    .select("id")
    .where("interaction_id", "=", row.interaction_id)
    .where("seq", "=", row.message_seq)
    .executeTakeFirst();
  return { message_id: message?.id ?? null, part_id: row.part_id };
}

/** All that it takes to answer the server of a tool that was called. */
export async function showServerQuestion(
  context: Context,
  row: SeenQuestion & ToolRow,
): Promise<ShownCall & Pick<InboxItem, "link">> {
  const { link, name, server } = askingTool(row);
  const shown = server && showServer(context, server.id);
  return {
    ...(isOfConversation(row) ? await placeOf(context, row) : { message_id: null, part_id: null }),
    ...{ last_approved: null, asked_again_for: null, may_edit: false },
    tool: {
      ...{ tool_call_id: row.tool_call_id, name, server: shown },
      ...{ description: null, input_schema: {}, definition_hash: row.definition_hash },
    },
    arguments_text: row.arguments,
    arguments: JSON.parse(row.arguments),
    form: questionOf(row),
    link: link && { ...link, is_foreign: link.host !== (shown?.host ?? null) },
  };
}

async function showLast({ store }: Context, last: QuestionRow): Promise<ShownCall["last_approved"]> {
  if (last.answered_at === null) return null;
  const by = (await loadPeople(store.db, [last.answered_by])).get(last.answered_by ?? "");
  return {
    item_id: last.id,
    at: last.answered_at.toISOString(),
    by: by === undefined ? null : showPerson(by),
    arguments_text: last.edited_arguments ?? last.arguments ?? "",
  };
}

/** Of the same agent, tool and owner, and before this one was asked: whoever sees this one may see that. */
async function lastApproved({ store }: Context, row: CallRow): Promise<QuestionRow | undefined> {
  return await store.db
    .selectFrom("approvals")
    .selectAll()
    .where("agent_id", "=", row.agent_id)
    .where("tool_call_id", "=", row.tool_call_id)
    .where("state", "=", "approved")
    .where("kind", "=", "tool_call")
    .where(
      sql<boolean>`user_id is not distinct from ${row.user_id} and team_id is not distinct from ${row.team_id}`,
    )
    .where("answered_at", "<", row.asked_at)
    .where(isThere)
    .orderBy("answered_at", "desc")
    .limit(1)
    .executeTakeFirst();
}
