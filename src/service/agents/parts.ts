import type { JsonValue } from "../store/json.ts";

/** The parts of a message as they are stored (docs/interface.md, "Message"). `id` is unique in its message. */
export type StoredPart =
  | { readonly id: string; readonly type: "text"; readonly text: string }
  | { readonly id: string; readonly type: "reasoning"; readonly reasoning: string }
  | ToolPart
  | { readonly id: string; readonly type: "file"; readonly file: StoredFile }
  | NoticePart
  /** `stopped`: nothing went wrong, somebody ended the turn. */
  | { readonly id: string; readonly type: "error"; readonly error: string; readonly code?: "stopped" };

/** What the service has to say of an answer: the model was not told everything, or could not say everything. */
type NoticePart = {
  readonly id: string;
  readonly type: "notice";
  readonly code: "history_cut" | "answer_cut";
  /** A sentence for people. */
  readonly notice: string;
};

/** One call of a tool; `result.result` is what it said, null while it runs. */
export type ToolPart = {
  readonly id: string;
  readonly type: "tool_invocation";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly toolCallState: "running" | "approval_required" | "completed" | "failed";
  readonly result: { readonly args: JsonValue; readonly result: JsonValue };
  /** ISO 8601 in UTC. One that a person was asked about began when they had answered. Calls run one after the other: one whose turn has not come has no beginning yet. */
  readonly started_at?: string;
  readonly finished_at?: string;
};

/**
 * The id of a part of a model's answer: it says which answer of its turn the part belongs to.
 * @param number of the answer in its turn, from 1
 * @param index of the call in the answer, from 0
 */
export function answerPartId(kind: "text" | "reasoning" | "tool", number: number, index?: number): string {
  return [kind, number, ...(index === undefined ? [] : [index])].join("-");
}

/** Each is there once in a message, as it was said last. */
export function noticePart(code: NoticePart["code"], notice: string): NoticePart {
  return { id: `notice-${code}`, type: "notice", code, notice };
}

/** The number of the model's answer that a part belongs to; null for a part that is none of an answer's own. */
export function answerNumber({ id }: StoredPart): number | null {
  const [, number] = /^(?:text|reasoning|tool)-(\d+)(?:-\d+)?$/.exec(id) ?? [];
  return number === undefined ? null : Number(number);
}

/** A link to a file is signed when the message is read: it would be too old otherwise. */
type StoredFile = {
  readonly filename: string;
  readonly media_type: string;
  readonly artifact_id: string;
  readonly version_id: string;
  readonly file_id: string;
};
