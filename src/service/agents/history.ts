import { isJsonObject } from "../json.ts";
import type { ModelMessage, ToolAnswer, ToolCall } from "../models/types.ts";
import type { MessageGroup } from "./context-window.ts";
import type { StoredMessage } from "./conversation.ts";
import { answerNumber, type StoredPart, type ToolPart } from "./parts.ts";

type Said = Pick<StoredMessage, "role" | "content" | "parts">;

/**
 * Stored messages as a model reads them, as it happened: for each turn what was asked, then each answer of the model with the
 * calls that it asked for, and what they answered.
 */
export function toTurns(stored: readonly Said[]): MessageGroup[] {
  const turns: ModelMessage[][] = [];
  for (const message of stored) {
    if (message.role === "user") turns.push([{ role: "user", text: message.content ?? "" }]);
    else turns.at(-1)?.push(...answersOf(message.parts));
  }
  return turns;
}

/** What is said together with parts of an answer, in characters: more than that of the JSON of one is around it. */
const around = 100;

/** How many characters of the JSON of its turn a part makes at least. */
export function charactersOf(part: StoredPart): number {
  return Math.max(JSON.stringify(answersOf([part])).length - around, 0);
}

/** The model's answers of one turn. Which part belongs to which is in the parts' ids, not in their order alone. */
function answersOf(parts: readonly StoredPart[]): ModelMessage[] {
  const byAnswer = new Map<number, StoredPart[]>();
  for (const part of parts) {
    const number = answerNumber(part);
    if (number !== null) byAnswer.set(number, [...(byAnswer.get(number) ?? []), part]);
  }
  return [...byAnswer.values()].flatMap(toAnswer);
}

function toAnswer(parts: readonly StoredPart[]): ModelMessage[] {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const reasoning = parts.map((part) => (part.type === "reasoning" ? part.reasoning : "")).join("");
  const calls = parts.filter((part) => part.type === "tool_invocation");
  if (text === "" && calls.length === 0) return [];
  const thought = reasoning === "" ? {} : { reasoning };
  const answer: ModelMessage = { role: "assistant", text, toolCalls: calls.map(toCall), ...thought };
  return calls.length === 0 ? [answer] : [answer, { role: "tool", answers: calls.map(toToolAnswer) }];
}

function toCall({ toolCallId: id, toolName: name, result }: ToolPart): ToolCall {
  return { id, name, args: isJsonObject(result.args) ? result.args : {} };
}

/** A call that never got its answer, because its turn ended, is answered with that. */
function toToolAnswer({
  toolCallId: id,
  toolName: name,
  toolCallState: state,
  result,
}: ToolPart): ToolAnswer {
  const isCutOff = state === "running" || (state === "failed" && result.result === null);
  const said = isCutOff ? "The turn ended before this call finished." : result.result;
  return { id, name, failed: state !== "completed", result: said };
}
