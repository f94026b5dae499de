import { toolCallStates } from "../../../contract/area-states.ts";
import { messageWords } from "../../../contract/command.ts";
import type { Received } from "../../../contract/define.ts";
import type { Message, MessagePart } from "../../../contract/messages.ts";
import { describeState, type Tone } from "../../../contract/states.ts";

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
  readonly span: Span;
  /** What became of asking people first; null where nobody was asked. */
  readonly approval: NonNullable<PartIn["approval"]> | null;
}

/** From when to when, ISO 8601; null where that did not come: a service need not tell, and what goes on has no end. */
export interface Span {
  readonly start: string | null;
  readonly end: string | null;
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
  /** `isStop`: nothing went wrong, somebody ended the turn. */
  | { readonly kind: "error"; readonly error: unknown; readonly isStop: boolean }
  /** What the service says of the answer. */
  | { readonly kind: "notice"; readonly text: string }
  | { readonly kind: "raw"; readonly type: string; readonly value: unknown }
  | { readonly kind: "nothing" };

/** One part of one message: what is drawn, linked to, searched and counted. */
export interface Row {
  /** Unique in the conversation; `?part=` in the address. */
  readonly key: string;
  /** Of its message; null where the service gives none. */
  readonly messageId: string | null;
  /** Which message of the person it belongs to, from 1; 0 before the first. */
  readonly turn: number;
  readonly role: "person" | "agent" | "other";
  /** The role as it came, for one that we do not know. */
  readonly rawRole: string;
  /** ISO 8601. */
  readonly at: string | null;
  /** Of an answer: the turn that it belongs to. */
  readonly span: Span;
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

type Messages = readonly (MessageIn | null)[];

/** Where one message stands in what is made. */
interface Place {
  readonly prefix: string;
  /** Its own rows; none for what is no message. */
  readonly rows: readonly Row[];
  /** The index of its first row. */
  readonly row: number;
  /** Which turn it belongs to. */
  readonly turn: number;
}

/** How many messages are made into rows before the clock is looked at. */
const atOnce = 50;

/** @returns the conversation; null where `isEnough` said so before the end: the next call goes on from there */
export interface ConversationModel {
  (messages: Messages): Conversation;
  (messages: Messages, isEnough: () => boolean): Conversation | null;
}

/**
 * Makes rows of messages. Messages that did not change keep their very rows, so that a poll renders only what is new;
 * only what stands behind the first change is looked at again. Nothing is dropped: unknown roles and parts are rows too
 * (C-02).
 */
export function createConversationModel(): ConversationModel {
  const known = new WeakMap<
    MessageIn,
    { index: number; turn: number; prefix: string; rows: readonly Row[] }
  >();
  const names = new Names();
  /** What was made of `done`, message by message. */
  const places: Place[] = [];
  const done: (MessageIn | null)[] = [];
  const made: Making = { rows: [], turns: [], files: [], errors: [], calls: [] };

  function add(message: MessageIn | null, index: number): void {
    const before = places.at(-1)?.turn ?? 0;
    if (message === null || typeof message !== "object") {
      places.push({ prefix: "", rows: [], row: made.rows.length, turn: before });
      return;
    }
    const turn = message.role === "user" ? before + 1 : before;
    const prefix = names.take(message.id || `m${index + 1}`);
    const last = known.get(message);
    const isSame = last?.index === index && last.turn === turn && last.prefix === prefix;
    const rows = isSame ? last.rows : rowsOf(message, prefix, turn);
    if (!isSame) known.set(message, { index, turn, prefix, rows });
    places.push({ prefix, rows, row: made.rows.length, turn });
    if (message.role === "user") {
      const words = beginning(rows);
      made.turns.push({ turn: { number: turn, row: made.rows.length, words, calls: [] }, calls: [] });
    }
    for (const row of rows) addRow(made, row);
  }

  /** Takes the messages from `index` on out again. */
  function cut(index: number): void {
    const row = places[index]?.row ?? made.rows.length;
    names.free(places.splice(index).map(({ prefix }) => prefix));
    done.length = index;
    cutRows(made, row);
  }

  function make(messages: Messages, isEnough: () => boolean = () => false): Conversation | null {
    const differs = done.findIndex((message, index) => message !== messages[index]);
    if (differs !== -1) cut(differs);
    else if (done.length > messages.length) cut(messages.length);
    while (done.length < messages.length) {
      const end = Math.min(messages.length, done.length + atOnce);
      for (let index = done.length; index < end; index += 1) {
        const message = messages[index] ?? null;
        add(message, index);
        done.push(message);
      }
      if (done.length < messages.length && isEnough()) return null;
    }
    return givenOut(made);
  }
  return make as ConversationModel;
}

type Call = Turn["calls"][number];

/** What a conversation is made from: its lists grow and shrink at their ends, and are copied when they are given out. */
interface Making {
  readonly rows: Row[];
  /** Each as it was given out last, with its calls as they are now. */
  readonly turns: { turn: Turn; readonly calls: Call[] }[];
  readonly files: { row: number; name: string }[];
  readonly errors: number[];
  readonly calls: number[];
}

function addRow(made: Making, row: Row): void {
  const at = made.rows.length;
  made.rows.push(row);
  const { body } = row;
  if (body.kind === "call") {
    const { name, tone } = body.call;
    made.calls.push(at);
    made.turns.at(-1)?.calls.push({ row: at, name, tone });
    if (tone === "failed") made.errors.push(at);
  }
  if (body.kind === "error" && !body.isStop) made.errors.push(at);
  if (body.kind === "file") made.files.push({ row: at, name: body.name ?? "Untitled file" });
}

/** Takes out what stands at `row` or behind it. */
function cutRows(made: Making, row: number): void {
  made.rows.length = row;
  cutList(made.turns, row, ({ turn }) => turn.row);
  cutList(made.files, row, (file) => file.row);
  cutList(made.errors, row, Number);
  cutList(made.calls, row, Number);
  const last = made.turns.at(-1);
  if (last && cutList(last.calls, row, (call) => call.row)) last.turn = { ...last.turn, calls: [] };
}

/** @returns whether there was any; entries are in order, and most often the last ones go */
function cutList<T>(list: T[], row: number, rowOf: (entry: T) => number): boolean {
  const length = list.findLastIndex((entry) => rowOf(entry) < row) + 1;
  const isShorter = length < list.length;
  list.length = length;
  return isShorter;
}

/** A copy that later messages do not change; a turn without another call is the same object. */
function givenOut({ rows, turns, files, errors, calls }: Making): Conversation {
  return {
    rows: [...rows],
    turns: turns.map((one) => {
      if (one.turn.calls.length !== one.calls.length) one.turn = { ...one.turn, calls: [...one.calls] };
      return one.turn;
    }),
    files: [...files],
    errors: [...errors],
    calls: [...calls],
  };
}

/** Finds a name that nothing else has. */
class Names {
  readonly #used = new Set<string>();
  /** Where to look on, so that a name that came often is not tried from the start. */
  readonly #tried = new Map<string, number>();

  take(wanted: string): string {
    let again = this.#tried.get(wanted) ?? 1;
    let name = again === 1 ? wanted : `${wanted}~${again}`;
    for (; this.#used.has(name); name = `${wanted}~${again}`) again += 1;
    if (again > 1) this.#tried.set(wanted, again);
    this.#used.add(name);
    return name;
  }

  /** So that the same names are found again. */
  free(names: readonly string[]): void {
    for (const name of names) this.#used.delete(name);
    this.#tried.clear();
  }
}

function rowsOf(message: MessageIn, prefix: string, turn: number): readonly Row[] {
  const role = message.role === "user" ? "person" : message.role === "assistant" ? "agent" : "other";
  const bodies = bodiesOf(message, role);
  const names = new Names();
  const texts = bodies.flatMap(({ body }) => (body.kind === "text" ? [body.text] : []));
  return bodies.map(({ id, body }, index) => ({
    key: names.take(`${prefix}.${id ?? index + 1}`),
    messageId: message.id || null,
    turn,
    role,
    rawRole: message.role ?? "no role",
    at: message.timestamp ?? null,
    span: spanOf(message),
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
  const isStopped = parts.some((part) => part.type === "error" && part.code === "stopped");
  const bodies = parts.map((part) => {
    const body = bodyOf(part, role);
    return { id: part.id ?? null, body: isStopped ? cutOff(body) : body };
  });
  const content = message.content ?? "";
  const said = bodies
    .map(({ body }) =>
      body.kind === "text" || body.kind === "said" || body.kind === "notice" ? body.text : "",
    )
    .join("");
  // An assistant's text may be in `content`, in its parts, or in both: it is shown once, and never lost.
  if (content.trim() !== "" && !packed(said).includes(packed(content))) {
    const body: Body = { kind: role === "agent" ? "text" : "said", text: content };
    const whole = { id: "text", body };
    return role === "agent" ? [...bodies, whole] : [whole, ...bodies];
  }
  return bodies.length > 0 ? bodies : [{ id: null, body: { kind: "nothing" } }];
}

/** Without what differs between a text and its parts: spaces, and the brackets around a notice. */
const packed = (text: string): string => text.replaceAll(/[\s[\]]+/g, "");

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
      return { kind: "error", error: part.error, isStop: part.code === "stopped" };
    case "notice":
      return part.notice
        ? { kind: "notice", text: part.notice }
        : { kind: "raw", type: part.type, value: part };
    default:
      return { kind: "raw", type: part.type ?? "no type", value: part };
  }
}

/** A call that had not come back when its turn was stopped did not fail: it was stopped with it. */
function cutOff(body: Body): Body {
  const isCutOff = body.kind === "call" && body.call.tone === "failed" && body.call.result == null;
  return isCutOff ? { ...body, call: { ...body.call, tone: "stopped", result: undefined } } : body;
}

function callOf(part: PartIn): ToolCall {
  const whole = part.toolName || "Unnamed tool";
  const [, server, name] = /^(.+?)__(.+)$/.exec(whole) ?? [];
  return {
    name: name ?? whole,
    server: server ?? null,
    state: part.toolCallState ?? null,
    tone: describeState(toolCallStates, part.toolCallState).tone,
    args: part.result?.args,
    result: part.result?.result,
    span: spanOf(part),
    approval: part.approval ?? null,
  };
}

type Times = {
  readonly started_at?: string | null | undefined;
  readonly finished_at?: string | null | undefined;
};

const spanOf = ({ started_at, finished_at }: Times): Span => ({
  start: started_at ?? null,
  end: finished_at ?? null,
});

function beginning(rows: readonly Row[]): string {
  const said = rows.find(({ body }) => body.kind === "said");
  if (said?.body.kind !== "said") return "a message without text";
  return (
    messageWords(said.body.text.slice(0, 20_000))
      .slice(0, 400)
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, wordsLength) || "an empty message"
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
