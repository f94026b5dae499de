import type * as z from "zod/mini";
import { agentStatus } from "../../../contract/interactions.ts";
import { getSession } from "../../../contract/sessions.ts";
import { type Damage, receive } from "../../api/receive.ts";
import { sanitizeJson } from "../../api/sanitize-json.ts";
import type { Work } from "../workers/serve.ts";

/** What the page holds of one key, as JSON. */
interface Held {
  readonly read: number;
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

/** A big answer, to be told as what is new in it. */
interface BodyInput {
  /** Counted by the page, through all its workers. */
  readonly read: number;
  /** Name of the endpoint. */
  readonly endpoint: string;
  /** Where the long list is in its answer. */
  readonly path: readonly string[];
  /** What was asked, the same at each read of it. */
  readonly key: string;
  readonly text: string;
  /** The `read` of this key whose answer the page holds; null for none. */
  readonly have: number | null;
}

/** Slices, each a short task of the page: items that are not what the page holds at their places `at`, or damage. */
export type BodySlice =
  | { readonly at: readonly number[]; readonly items: readonly unknown[] }
  | { readonly damage: readonly Damage[] };

/** What is around the list, after its slices. */
interface BodyAnswer {
  /** The answer without its list; null: as the page holds it. */
  readonly rest: object | null;
  /** How long the list is now; null where there is none. */
  readonly length: number | null;
  /** The damage is what the page holds. */
  readonly isSameDamage: boolean;
}

type Tell = (slice: BodySlice) => void;

/** The work of the worker: parses, checks and compares a body, tells what is new in it. */
export function bodyMethods() {
  const held = new Map<string, Held>();
  return {
    /** @throws for what is no answer of this endpoint, or cannot be read here */
    read(input: BodyInput, { tell }: Work<BodySlice>): BodyAnswer {
      const { key, have } = input;
      const before = held.get(key);
      held.delete(key);
      const { now, answer } = read(input, before?.read === have ? before : undefined, tell);
      held.set(key, now);
      return answer;
    },
    forget(key: string): void {
      held.delete(key);
    },
  };
}

function read({ read, endpoint, path, text }: BodyInput, before: Held | undefined, tell: Tell) {
  const shape = shapes[endpoint];
  const { data, damage } = shape
    ? receive(shape, sanitizeJson(JSON.parse(text), text))
    : { data: null, damage: [] };
  if (data === null || typeof data !== "object") throw new Error(`No answer of ${endpoint}`);
  const { rest, list } = apart(data, path);
  const items = tellItems(list ?? [], before, tell);
  const damageText = JSON.stringify(damage);
  const isSameDamage = before?.damage === damageText;
  for (let from = 0; !isSameDamage && from < damage.length; from += sliceCount)
    tell({ damage: damage.slice(from, from + sliceCount) });
  const restText = JSON.stringify(rest);
  return {
    now: { read, items, rest: restText, damage: damageText },
    answer: { rest: before?.rest === restText ? null : rest, length: list?.length ?? null, isSameDamage },
  };
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

function tellItems(list: readonly unknown[], before: Held | undefined, tell: Tell): readonly string[] {
  let at: number[] = [];
  let items: unknown[] = [];
  let size = 0;
  const send = () => {
    if (at.length > 0) tell({ at, items });
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
