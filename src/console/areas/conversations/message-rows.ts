import { toolCallStates } from "../../../contract/area-states.ts";
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

/** The rows of one message. @param prefix of their keys @param turn as in `Row` */
export function rowsOf(message: MessageIn, prefix: string, turn: number): readonly Row[] {
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

/** Finds a name that nothing else has. */
export class Names {
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
