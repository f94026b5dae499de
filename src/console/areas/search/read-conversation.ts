import { agentStatus } from "../../../contract/interactions.ts";
import { getSession } from "../../../contract/sessions.ts";
import type { DataOf } from "../../api/client.ts";
import { call } from "../../api/client.ts";
import { ownerOf } from "../../api/connection.ts";
import { isRetryable } from "../../api/errors.ts";
import type { Api } from "../../lib/api.tsx";
import {
  type Conversation,
  createConversationModel,
  type MessageIn,
  messagesOf,
  type Row,
  textOf,
} from "../conversations/index.ts";

import type { Field } from "./worker/hit.ts";

/** A conversation as the search holds it: its texts, each by the part that an address names. */
export interface ReadConversation {
  readonly agentId: string | null;
  readonly fields: readonly Field[];
}

const sliceMs = 8;

/**
 * Reads a conversation as its page does: its messages so far where the service has them, else those of the core. Waits
 * for its turn as a poll does (C-36); what is big is read off this thread.
 * @throws ConsoleError of every kind; the signal's reason when aborted
 */
export async function readConversation(api: Api, id: string, signal: AbortSignal): Promise<ReadConversation> {
  const session = await readSession(api, id, signal);
  const status = session
    ? null
    : (
        await call(
          api,
          agentStatus,
          { params: { interaction_id: id }, query: ownerOf(api) },
          { signal, poll: true },
        )
      ).data;
  const agentId = session?.agent_id ?? status?.gummie_id ?? null;
  const agent = session?.agent_name ?? "Agent";
  const messages = session?.messages ?? (status ? messagesOf(status) : null) ?? [];
  const { rows } = await modelOf(messages, signal);
  const failure = status?.error_message;
  return {
    agentId,
    fields: [
      ...rows.flatMap((row) => fieldsOf(row, agent)),
      ...(failure ? [{ kind: "messages", at: "", label: "Error", text: failure } as const] : []),
    ],
  };
}

/** Null where only the core can tell. */
async function readSession(
  api: Api,
  id: string,
  signal: AbortSignal,
): Promise<NonNullable<DataOf<typeof getSession>["session"]> | null> {
  if (!api.capabilities.can("live_messages")) return null;
  try {
    const { data } = await call(api, getSession, { params: { session_id: id } }, { signal, poll: true });
    return data.session ?? null;
  } catch (error) {
    if (signal.aborted || isRetryable(error)) throw error;
    return null;
  }
}

/** The rows of messages, made in slices that leave the page usable. */
async function modelOf(messages: readonly (MessageIn | null)[], signal: AbortSignal): Promise<Conversation> {
  const make = createConversationModel();
  for (;;) {
    const until = performance.now() + sliceMs;
    const made = make(messages, () => performance.now() > until);
    if (made) return made;
    await new Promise<void>((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
}

function fieldsOf({ key, role, rawRole, body }: Row, agent: string): readonly Field[] {
  const message = (label: string, text: string): Field => ({ kind: "messages", at: key, label, text });
  switch (body.kind) {
    case "said":
    case "text":
      return [message(role === "agent" ? agent : role === "person" ? "Message" : rawRole, body.text)];
    case "reasoning":
      return [message("Reasoning", body.text)];
    case "notice":
      return [message("Notice", body.text)];
    case "file":
      return [message("File", body.name ?? "")];
    case "error":
      return [message("Error", textOf(body.error))];
    case "raw":
      return [message(body.type, textOf(body.value))];
    case "nothing":
      return [];
    case "call": {
      const { name, server, args, result } = body.call;
      const tool = (label: string, text: string): Field => ({ kind: "tools", at: key, label, text });
      return [
        tool("Tool", server === null ? name : `${name}, ${server}`),
        tool(`${name}: arguments`, textOf(args)),
        tool(`${name}: result`, textOf(result)),
      ];
    }
  }
}
