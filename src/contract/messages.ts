import * as z from "zod/mini";
import { inboxAnswers, inboxState } from "./inbox-states.ts";
import { openEnum } from "./open-enum.ts";
import { json, person, utcTime } from "./wire.ts";

/**
 * One part of a message. A part is one of: text `{id, type: "text", text}`; tool call `{id, type: "tool_invocation",
 * toolCallId, toolName, toolCallState, result: {args, result}}`; file `{type: "file", file: {filename, media_type,
 * artifact_url}}`; reasoning `{type: "reasoning", reasoning}`; error `{id, type: "error", error}`, with the own code `stopped`
 * where a person ended the turn; own: notice
 * `{id, type: "notice", code, notice}`, a sentence of the service about the answer. Other types are kept and shown raw, so
 * the type is open and each type's own fields are optional.
 */
export const messagePart = z.looseObject({
  type: openEnum(["text", "tool_invocation", "file", "reasoning", "error", "notice"]),
  id: z.nullish(z.string()),
  text: z.nullish(z.string()),
  toolCallId: z.nullish(z.string()),
  toolName: z.nullish(z.string()),
  toolCallState: z.nullish(openEnum(["running", "approval_required", "completed", "failed"])),
  /** Own: when a call began, and when it came back; ISO 8601 with zone. One that waits for another call has not begun. */
  started_at: z.nullish(z.string()),
  finished_at: z.nullish(z.string()),
  /**
   * Own (`inbox`), of a call that a person was asked about: the question in the inbox, and what became of it. Who asks for
   * the inbox's item learns everything else. `answered_by`, `answered_at` and `reason` are null while nobody answered.
   */
  approval: z.nullish(
    z.object({
      inbox_id: z.string(),
      /** `server`: not the call is to be approved, but its server asks something. */
      kind: z.optional(openEnum(["tool_call", "server"])),
      state: inboxState,
      answer: z.nullable(openEnum(inboxAnswers)),
      answered_by: z.nullable(person),
      answered_at: z.nullable(utcTime),
      reason: z.nullable(z.string()),
      lapses_at: utcTime,
    }),
  ),
  /** Arguments and result of a tool call, as the tool defines them. */
  result: z.nullish(z.looseObject({ args: z.optional(json), result: z.optional(json) })),
  file: z.nullish(
    z.looseObject({
      filename: z.nullish(z.string()),
      media_type: z.nullish(z.string()),
      artifact_url: z.nullish(z.string()),
    }),
  ),
  reasoning: z.nullish(z.string()),
  error: z.optional(json),
  notice: z.nullish(z.string()),
  /**
   * What a notice is about (the model was not told the whole conversation, or its answer is cut off), or that an error is
   * none: somebody stopped the turn.
   */
  code: z.nullish(openEnum(["history_cut", "answer_cut", "stopped"])),
});
export type MessagePart = z.output<typeof messagePart>;

/** One message of a conversation. An assistant's text may be in `content`, or only in its text parts. */
export const message = z.object({
  id: z.string(),
  role: openEnum(["user", "assistant"]),
  /** ISO 8601 with zone. */
  timestamp: z.nullable(z.string()),
  /** Own, of an assistant: when the turn began that this is the answer of, and when it ended; null while it goes on. */
  started_at: z.nullish(z.string()),
  finished_at: z.nullish(z.string()),
  content: z.nullable(z.string()),
  parts: z.optional(z.nullable(z.array(messagePart))),
});
export type Message = z.output<typeof message>;
