import type * as z from "zod/mini";
import { agentStatus } from "../../../contract/interactions.ts";
import { getSession } from "../../../contract/sessions.ts";
import { type Damage, receive } from "../../api/receive.ts";
import { tame } from "../../api/tame.ts";
import { type FromBodies, listIn, type ToBodies } from "./body-messages.ts";

/** What the page holds of one key, as JSON. */
interface Held {
  readonly id: number;
  readonly items: readonly string[];
  readonly rest: string;
  readonly damage: string;
}

/** About so much JSON, or so many values, go over at once: unpacking them is a short task even on a slow phone. */
const sliceLength = 100_000;
const sliceCount = 500;

const shapes: Readonly<Record<string, z.ZodMiniType>> = {
  [agentStatus.name]: agentStatus.response,
  [getSession.name]: getSession.response,
};

/** The work of the worker without the worker around it: parses, checks and compares a body, tells what is new in it. */
export function makeBodyDesk(post: (message: FromBodies) => void): (message: ToBodies) => void {
  const held = new Map<string, Held>();
  return (message) => {
    if (message.type === "forget") {
      held.delete(message.key);
      return;
    }
    const { id, key, have } = message;
    const before = held.get(key);
    try {
      held.delete(key);
      const now = tell(message, before?.id === have ? before : undefined, post);
      if (now) held.set(key, now);
      else post({ type: "unreadable", id });
    } catch {
      post({ type: "unreadable", id });
    }
  };
}

function tell(
  { id, endpoint, text }: Extract<ToBodies, { type: "read" }>,
  before: Held | undefined,
  post: (message: FromBodies) => void,
): Held | null {
  const shape = shapes[endpoint];
  const path = listIn[endpoint];
  if (!shape || !path) return null;
  const { data, damage } = receive(shape, tame(JSON.parse(text), text));
  if (data === null || typeof data !== "object") return null;
  const { rest, list } = apart(data, path);
  const items = tellItems(id, list ?? [], before, post);
  const damageText = JSON.stringify(damage);
  const isSameDamage = before?.damage === damageText;
  if (!isSameDamage) tellDamage(id, damage, post);
  const restText = JSON.stringify(rest);
  const isSameRest = before?.rest === restText;
  post({
    type: "read",
    id,
    rest: isSameRest ? null : rest,
    length: list?.length ?? null,
    isSameDamage,
  });
  return { id, items, rest: restText, damage: damageText };
}

/** The list at `path`, and a copy of what is around it. */
function apart(data: object, path: readonly string[]): { rest: object; list: readonly unknown[] | null } {
  const [key = "", ...further] = path;
  const inner: unknown = Object.hasOwn(data, key) ? (data as Record<string, unknown>)[key] : undefined;
  if (further.length === 0) {
    return Array.isArray(inner) ? { rest: { ...data, [key]: [] }, list: inner } : { rest: data, list: null };
  }
  if (inner === null || typeof inner !== "object") return { rest: data, list: null };
  const { rest, list } = apart(inner, further);
  return { rest: { ...data, [key]: rest }, list };
}

function tellItems(
  id: number,
  list: readonly unknown[],
  before: Held | undefined,
  post: (message: FromBodies) => void,
): readonly string[] {
  let at: number[] = [];
  let items: unknown[] = [];
  let size = 0;
  const send = () => {
    if (at.length > 0) post({ type: "items", id, at, items });
    at = [];
    items = [];
    size = 0;
  };
  const texts = list.map((item, index) => {
    const text = JSON.stringify(item);
    if (before?.items[index] !== text) {
      at.push(index);
      items.push(item);
      size += text.length;
      if (size > sliceLength || at.length >= sliceCount) send();
    }
    return text;
  });
  send();
  return texts;
}

function tellDamage(id: number, damage: readonly Damage[], post: (message: FromBodies) => void): void {
  for (let from = 0; from < damage.length; from += sliceCount) {
    post({ type: "damage", id, damage: damage.slice(from, from + sliceCount) });
  }
}
