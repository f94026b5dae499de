import type { JsonValue } from "../store/json.ts";

/** The parts of a message as they are stored ("Message" of the decisions). `id` is unique in its message. */
export type StoredPart =
  | { readonly id: string; readonly type: "text"; readonly text: string }
  | { readonly id: string; readonly type: "reasoning"; readonly reasoning: string }
  | ToolPart
  | { readonly id: string; readonly type: "file"; readonly file: StoredFile }
  | { readonly id: string; readonly type: "error"; readonly error: string };

/** One call of a tool; `result.result` is what it said, null while it runs. */
export type ToolPart = {
  readonly id: string;
  readonly type: "tool_invocation";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly toolCallState: "running" | "completed" | "failed";
  readonly result: { readonly args: JsonValue; readonly result: JsonValue };
};

/** A link to a file is signed when the message is read: it would be too old otherwise. */
type StoredFile = {
  readonly filename: string;
  readonly media_type: string;
  readonly artifact_id: string;
  readonly version_id: string;
  readonly file_id: string;
};
