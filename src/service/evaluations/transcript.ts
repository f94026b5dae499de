import type { StoredMessage } from "../agents/conversation.ts";

/** Of what a model is given of the conversation; the oldest messages are left out first. */
export const transcriptCharacters = 150_000;
/** Of a tool's arguments and of what it answered. */
const toolCharacters = 2_000;

/** The messages up to and with a turn, the person's first. */
export function messagesOfTurns(stored: readonly StoredMessage[], turn: number): readonly StoredMessage[] {
  return stored.filter(({ seq }) => seq <= turn * 2);
}

/** What the agent itself said, one text for each message, with the number of the message. */
export function saidByAgent(messages: readonly StoredMessage[]): { number: number; text: string }[] {
  return messages.flatMap(({ role, seq, parts, content }) => {
    if (role !== "assistant") return [];
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return [{ number: seq, text: texts.length > 0 ? texts.join("\n") : (content ?? "") }];
  });
}

/**
 * A conversation as lines of JSON, one for each thing that was said or done. Being JSON, no text in it can look like a
 * line of another kind.
 * @param most characters; the oldest lines are left out, and a line that is longer by itself is cut
 */
export function transcript(messages: readonly StoredMessage[], most = transcriptCharacters): string {
  const lines = messages.flatMap(linesOf).map((line) => JSON.stringify(line));
  let size = 0;
  const kept: string[] = [];
  for (const line of lines.reverse()) {
    size += line.length;
    if (size > most && kept.length > 0) {
      kept.unshift(JSON.stringify({ note: "earlier messages are left out" }));
      break;
    }
    kept.unshift(line.length > most ? JSON.stringify({ note: `${line.slice(0, most)}… (cut)` }) : line);
  }
  return kept.join("\n");
}

function linesOf({ seq, role, content, parts }: StoredMessage): object[] {
  if (role === "user") return [{ message: seq, from: "person", text: content ?? "" }];
  const lines: object[] = [];
  for (const part of parts) {
    if (part.type === "text") lines.push({ message: seq, from: "agent", text: part.text });
    if (part.type === "notice") lines.push({ message: seq, from: "service", note: part.notice });
    if (part.type === "error") lines.push({ message: seq, from: "service", failed: part.error });
    if (part.type === "file") lines.push({ message: seq, from: "agent", file: part.file.filename });
    if (part.type !== "tool_invocation") continue;
    const { toolName: tool, toolCallState: state, result } = part;
    const [args, answer] = [shorten(result.args), shorten(result.result)];
    lines.push({ message: seq, from: "agent", tool, state, arguments: args, answer });
  }
  if (lines.length === 0 && content !== null) lines.push({ message: seq, from: "agent", text: content });
  return lines;
}

function shorten(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  return text.length <= toolCharacters ? value : `${text.slice(0, toolCharacters)}… (cut)`;
}
