import { messageWords } from "../../../contract/command.ts";
import type { Tone } from "../../../contract/states.ts";
import { type MessageIn, Names, type Row, rowsOf } from "./message-rows.ts";

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

type Messages = readonly (MessageIn | null)[];

/** Where one message stands in what is made. */
interface MadeMessage {
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
  const places: MadeMessage[] = [];
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

const wordsLength = 120;

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
