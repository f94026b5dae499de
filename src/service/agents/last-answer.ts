import type { Outcome } from "../engine/kind.ts";
import type { RecordedAnswer } from "./ask-model.ts";

/**
 * How a turn ends with an answer that asks for no tools. One that a limit cut says so at its end, as most who read it see
 * nothing but its text; one without any text is a failure.
 * @param maxTokens of an answer, as set for the agent
 */
export function endWith(answer: RecordedAnswer, interactionId: string, maxTokens: number | null): Outcome {
  const { text, finish } = answer;
  const failed = (error: string) => ({ type: "failed", error }) as const;
  if (finish === "filtered") {
    return failed("The model’s provider blocked the answer under its content rules.");
  }
  const isCut = finish === "length";
  if (text.trim() === "") {
    return failed(
      isCut
        ? `The model reached ${limitOf(maxTokens)} before it said anything.`
        : "The model gave an empty answer.",
    );
  }
  const response = isCut ? `${text}\n\n[${cutOffNote(maxTokens)}]` : text;
  // Of this last call there is no step: what it cost is kept with the end.
  const { usage } = answer;
  return { type: "done", result: { interaction_id: interactionId, response, finish, usage: { ...usage } } };
}

/** What people are told of an answer that a limit cut. */
export function cutOffNote(maxTokens: number | null): string {
  return `The answer is cut off here: the model reached ${limitOf(maxTokens)}.`;
}

function limitOf(maxTokens: number | null): string {
  return maxTokens === null
    ? "its own limit of tokens"
    : `the agent's limit of ${maxTokens.toLocaleString("en-GB")} tokens (max_tokens)`;
}
