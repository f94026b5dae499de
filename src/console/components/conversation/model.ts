import type { Received } from "../../../contract/define.ts";
import type { Message, MessagePart } from "../../../contract/messages.ts";
import { describeState, type Tone, toolCallStates } from "../../../contract/states.ts";

export type MessageIn = Received<Message>;
type PartIn = Received<MessagePart>;

/** A tool call as it came. `state` is the word on the wire. */
export interface ToolCall {
  readonly name: string;
  /** Of `server__tool`: the server; null where the name has none. */
  readonly server: string | null;
  readonly state: string | null;
  readonly tone: Tone;
  /** Undefined where nothing came. */
  readonly args: unknown;
  readonly result: unknown;
}

/** What one row of a conversation shows. `raw`: a part of a type that we do not know. */
export type Body =
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: ToolCall }
  | {
      readonly kind: "file";
      readonly name: string | null;
      readonly mediaType: string | null;
      readonly url: string | null;
    }
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "raw"; readonly type: string; readonly value: unknown }
  | { readonly kind: "nothing" };

/** One part of one message: what is drawn, linked to, searched and counted. */
export interface Row {
  /** Unique in the conversation; `?part=` in the address. */
  readonly key: string;
  /** Which message of the person it belongs to, from 1; 0 before the first. */
  readonly turn: number;
  readonly role: "person" | "agent" | "other";
  /** The role as it came, for one that we do not know. */
  readonly rawRole: string;
  /** ISO 8601. */
  readonly at: string | null;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly body: Body;
  /** All that the agent said in this message, for copying; only in its last row. */
  readonly reply: string | null;
}

/** One message of the person and what the agent did about it. */
export interface Turn {
  readonly number: number;
  /** The index of its first row. */
  readonly row: number;
  /** The beginning of what was said. */
  readonly words: string;
  readonly calls: readonly { readonly row: number; readonly name: string; readonly tone: Tone }[];
}

export interface Conversation {
  readonly rows: readonly Row[];
  readonly turns: readonly Turn[];
  readonly files: readonly { readonly row: number; readonly name: string }[];
  /** Rows that failed, in order. */
  readonly errors: readonly number[];
  /** Rows that are tool calls, in order. */
  readonly calls: readonly number[];
}

const wordsLength = 120;

/**
 * Makes rows of messages. Messages that did not change keep their very rows, so that a poll renders only what is new.
 * Nothing is dropped: unknown roles and parts are rows too (C-02).
 */
export function createConversationModel(): (messages: readonly (MessageIn | null)[]) => Conversation {
  const known = new WeakMap<
    MessageIn,
    { index: number; turn: number; prefix: string; rows: readonly Row[] }
  >();
  return (messages) => {
    const rows: Row[] = [];
    const turns: Turn[] = [];
    const used = new Set<string>();
    let turn = 0;
    messages.forEach((message, index) => {
      if (message === null || typeof message !== "object") return;
      if (message.role === "user") turn += 1;
      const prefix = unique(message.id || `m${index + 1}`, used);
      const before = known.get(message);
      const isSame = before?.index === index && before.turn === turn && before.prefix === prefix;
      const made = isSame ? before.rows : rowsOf(message, prefix, turn);
      if (!isSame) known.set(message, { index, turn, prefix, rows: made });
      if (message.role === "user") {
        turns.push({ number: turn, row: rows.length, words: beginning(made), calls: [] });
      }
      rows.push(...made);
    });
    return { rows, ...indexOf(rows, turns) };
  };
}

function indexOf(rows: readonly Row[], turns: readonly Turn[]): Omit<Conversation, "rows"> {
  const calls: number[] = [];
  const errors: number[] = [];
  const files: { row: number; name: string }[] = [];
  const perTurn = new Map<number, { row: number; name: string; tone: Tone }[]>();
  rows.forEach(({ body, turn }, row) => {
    if (body.kind === "call") {
      calls.push(row);
      const list = perTurn.get(turn) ?? [];
      list.push({ row, name: body.call.name, tone: body.call.tone });
      perTurn.set(turn, list);
      if (body.call.tone === "failed") errors.push(row);
    }
    if (body.kind === "error") errors.push(row);
    if (body.kind === "file") files.push({ row, name: body.name ?? "a file without a name" });
  });
  return {
    turns: turns.map((turn) => ({ ...turn, calls: perTurn.get(turn.number) ?? [] })),
    files,
    calls,
    errors,
  };
}

function unique(wanted: string, used: Set<string>): string {
  let id = wanted;
  for (let again = 2; used.has(id); again += 1) id = `${wanted}~${again}`;
  used.add(id);
  return id;
}

function rowsOf(message: MessageIn, prefix: string, turn: number): readonly Row[] {
  const role = message.role === "user" ? "person" : message.role === "assistant" ? "agent" : "other";
  const bodies = bodiesOf(message, role);
  const used = new Set<string>();
  const texts = bodies.flatMap(({ body }) => (body.kind === "text" ? [body.text] : []));
  return bodies.map(({ id, body }, index) => ({
    key: unique(`${prefix}.${id ?? index + 1}`, used),
    turn,
    role,
    rawRole: message.role ?? "no role",
    at: message.timestamp ?? null,
    isFirst: index === 0,
    isLast: index === bodies.length - 1,
    body,
    reply: role === "agent" && index === bodies.length - 1 && texts.length > 0 ? texts.join("\n\n") : null,
  }));
}

interface Identified {
  readonly id: string | null;
  readonly body: Body;
}

function bodiesOf(message: MessageIn, role: Row["role"]): readonly Identified[] {
  const parts = (message.parts ?? []).filter(
    (part): part is PartIn => part !== null && typeof part === "object",
  );
  const bodies = parts.map((part) => ({ id: part.id ?? null, body: bodyOf(part, role) }));
  const content = message.content ?? "";
  const said = bodies
    .map(({ body }) => (body.kind === "text" || body.kind === "said" ? body.text : ""))
    .join("");
  // An assistant's text may be in `content`, in its parts, or in both: it is shown once, and never lost.
  if (content.trim() !== "" && !packed(said).includes(packed(content))) {
    const body: Body = { kind: role === "agent" ? "text" : "said", text: content };
    const whole = { id: "text", body };
    return role === "agent" ? [...bodies, whole] : [whole, ...bodies];
  }
  return bodies.length > 0 ? bodies : [{ id: null, body: { kind: "nothing" } }];
}

const packed = (text: string): string => text.replaceAll(/\s+/g, "");

function bodyOf(part: PartIn, role: Row["role"]): Body {
  switch (part.type) {
    case "text":
      return { kind: role === "agent" ? "text" : "said", text: part.text ?? "" };
    case "tool_invocation":
      return { kind: "call", call: callOf(part) };
    case "file": {
      const { filename, media_type, artifact_url } = part.file ?? {};
      return {
        kind: "file",
        name: filename ?? null,
        mediaType: media_type ?? null,
        url: artifact_url ?? null,
      };
    }
    case "reasoning":
      return { kind: "reasoning", text: part.reasoning ?? "" };
    case "error":
      return { kind: "error", error: part.error };
    default:
      return { kind: "raw", type: part.type ?? "no type", value: part };
  }
}

function callOf(part: PartIn): ToolCall {
  const whole = part.toolName || "a tool without a name";
  const [, server, name] = /^(.+?)__(.+)$/.exec(whole) ?? [];
  return {
    name: name ?? whole,
    server: server ?? null,
    state: part.toolCallState ?? null,
    tone: describeState(toolCallStates, part.toolCallState).tone,
    args: part.result?.args,
    result: part.result?.result,
  };
}

function beginning(rows: readonly Row[]): string {
  const said = rows.find(({ body }) => body.kind === "said");
  if (said?.body.kind !== "said") return "a message without words";
  return (
    said.body.text.slice(0, 400).replaceAll(/\s+/g, " ").trim().slice(0, wordsLength) || "an empty message"
  );
}

/** What an error says, in its own words: a text, or the text inside. */
export function errorWords(error: unknown): string | null {
  if (typeof error === "string") return error.trim() === "" ? null : error;
  if (error === null || typeof error !== "object") return error == null ? null : String(error);
  for (const key of ["message", "error", "detail", "reason"]) {
    if (!Object.hasOwn(error, key)) continue;
    const inner = (error as Record<string, unknown>)[key];
    if (typeof inner === "string" && inner.trim() !== "") return inner;
  }
  return null;
}
