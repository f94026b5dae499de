import type { ModelMessage as SdkMessage } from "ai";
import { providerToolName } from "./tool-names.ts";
import type { ModelMessage, SignedThought, ToolAnswer, ToolCall } from "./types.ts";

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;

/** A message as the SDK takes it; none of an answer that says nothing. @param tellsReasoning whether answers are told with what was thought before them */
export function toSdkMessage(message: ModelMessage, tellsReasoning: boolean): SdkMessage[] {
  if (message.role === "user") return [{ role: "user", content: message.text }];
  if (message.role === "tool") return [{ role: "tool", content: message.answers.map(toSdkResult) }];
  const content = [...textParts(message), ...message.toolCalls.map(toSdkCall)];
  if (content.length === 0) return [];
  // Where it is told it must not be missing, also of an answer without any.
  const reasoning = { openaiCompatible: { reasoning_content: message.reasoning ?? "" } };
  return [{ role: "assistant", content, ...(tellsReasoning ? { providerOptions: reasoning } : {}) }];
}

/** The text of an answer, and what was thought in between, in their order. */
function textParts({ text, thoughts = [] }: AssistantMessage) {
  const ends = [...thoughts.map(({ textBefore }) => textBefore), text.length];
  return ends.flatMap((end, index) => {
    const piece = text.slice(ends[index - 1] ?? 0, end);
    const thought = thoughts[index];
    return [
      // Of nothing but white space, which models write before calls, Anthropic takes none back.
      ...(piece.trim() === "" ? [] : [{ type: "text" as const, text: piece }]),
      ...(thought === undefined ? [] : [toSdkThought(thought)]),
    ];
  });
}

function toSdkThought({ text, signature, redacted }: SignedThought) {
  const proof = redacted === undefined ? { signature: signature ?? "" } : { redactedData: redacted };
  return { type: "reasoning" as const, text, providerOptions: { anthropic: proof } };
}

function toSdkCall({ id, name, args, signature }: ToolCall) {
  const google =
    signature === undefined ? {} : { providerOptions: { google: { thoughtSignature: signature } } };
  return {
    ...{ type: "tool-call" as const, toolCallId: id, toolName: providerToolName(name), input: args },
    ...google,
  };
}

function toSdkResult({ id, name, failed, result }: ToolAnswer) {
  const value = typeof result === "string" ? result : JSON.stringify(result);
  const type = failed ? ("error-text" as const) : ("text" as const);
  const toolName = providerToolName(name);
  return { type: "tool-result" as const, toolCallId: id, toolName, output: { type, value } };
}
