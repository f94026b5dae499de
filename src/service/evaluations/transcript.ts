import type { StoredPart } from "../agents/parts.ts";

/** Of what a model is given of the conversation; the oldest lines are left out first. */
export const transcriptCharacters = 150_000;
/** Of a tool's arguments and of what it answered. */
const toolCharacters = 2_000;

/**
 * A conversation as lines of JSON, one for each thing that was said or done. Being JSON, no text in it can look like a
 * line of another kind.
 */
export interface Transcript {
  /** The next line. */
  add(line: object): void;
  /**
   * Its newest lines.
   * @param most characters; the oldest lines are left out, and a line that is longer by itself is cut
   */
  text(most?: number): string;
}

/** Keeps no more than the newest lines that a model is given. */
export function createTranscript(): Transcript {
  const lines: string[] = [];
  let size = 0;
  let isWhole = true;
  return {
    add(line) {
      const text = JSON.stringify(line);
      lines.push(text);
      size += text.length;
      while (size > transcriptCharacters && lines.length > 1) {
        size -= lines.shift()?.length ?? 0;
        isWhole = false;
      }
    },
    text(most = transcriptCharacters) {
      let left = most;
      const kept: string[] = [];
      for (const line of lines.toReversed()) {
        left -= line.length;
        if (left < 0 && kept.length > 0) break;
        kept.unshift(line.length > most ? JSON.stringify({ note: `${line.slice(0, most)}… (cut)` }) : line);
      }
      const isAll = isWhole && kept.length === lines.length;
      return [...(isAll ? [] : [JSON.stringify({ note: "earlier messages are left out" })]), ...kept].join(
        "\n",
      );
    },
  };
}

/** What a person or the agent says. */
export function textLine(seq: number, from: "person" | "agent", text: string): object {
  return { message: seq, from, text };
}

/** What a part of an answer says; null where that is nothing. */
export function partLine(seq: number, part: StoredPart): object | null {
  if (part.type === "text") return textLine(seq, "agent", part.text);
  if (part.type === "notice") return { message: seq, from: "service", note: part.notice };
  if (part.type === "error") return { message: seq, from: "service", failed: part.error };
  if (part.type === "file") return { message: seq, from: "agent", file: part.file.filename };
  if (part.type !== "tool_invocation") return null;
  const { toolName: tool, toolCallState: state, result } = part;
  const [args, answer] = [shorten(result.args), shorten(result.result)];
  return { message: seq, from: "agent", tool, state, arguments: args, answer };
}

function shorten(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  return text.length <= toolCharacters ? value : `${text.slice(0, toolCharacters)}… (cut)`;
}
