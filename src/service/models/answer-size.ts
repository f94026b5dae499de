import type { TextStreamPart, ToolSet } from "ai";
import { ModelError, withoutEnd } from "./model-error.ts";
import { metadataText } from "./reasoning.ts";

/** More than this in one answer is a model that lost its way: text, thoughts, and calls with their arguments. */
const answerCharacters = 2_000_000;

/** So is one that asks for more than this at once. */
const callsAtOnce = 100;

/**
 * Counts one answer while it comes, so that it is broken off and not kept for as long as it comes.
 * @returns is told each part of it, and throws ModelError where it becomes too much
 */
export function watchSize(): (part: TextStreamPart<ToolSet>) => void {
  let length = 0;
  let calls = 0;
  /** Of which arguments came in pieces. */
  const inPieces = new Set<string>();
  const sizeOf = (part: TextStreamPart<ToolSet>): number => {
    switch (part.type) {
      case "text-delta":
        return part.text.length;
      case "reasoning-start":
        return signed(part);
      case "reasoning-delta":
        return part.text.length + signed(part);
      case "tool-input-start":
        calls++;
        return part.id.length + part.toolName.length;
      case "tool-input-delta":
        inPieces.add(part.id);
        return part.delta.length;
      case "tool-call":
        return inPieces.has(part.toolCallId) ? 0 : JSON.stringify(part.input ?? null).length;
      default:
        return 0;
    }
  };
  return (part) => {
    length += sizeOf(part);
    if (length > answerCharacters) throw withoutEnd();
    if (calls > callsAtOnce)
      throw new ModelError("too_many", `The model asked for more than ${callsAtOnce} tools at once.`);
  };
}

/** What a provider wants back with a thought. */
function signed({
  providerMetadata,
}: Pick<Extract<TextStreamPart<ToolSet>, { type: "reasoning-start" }>, "providerMetadata">): number {
  const texts = ["signature", "redactedData"].map((field) => metadataText(providerMetadata, field) ?? "");
  return texts.join("").length;
}
