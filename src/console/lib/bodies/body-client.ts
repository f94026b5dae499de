import { agentStatus } from "../../../contract/interactions.ts";
import { getSession } from "../../../contract/sessions.ts";
import type { ReadBig } from "../../api/connection.ts";
import type { Damage } from "../../api/receive.ts";
import type { Api } from "../api.tsx";
import { callWorker, type WorkerEnd } from "../workers/calls.ts";
import type { BodySlice, bodyMethods } from "./body-service.ts";

/** Reads answers that are too big for the page's own thread. */
export interface BodyReader {
  /** In the worker; a list comes over in slices, none of which keeps the page busy. */
  readonly read: ReadBig;
  close(): void;
}

interface Held {
  readonly read: number;
  readonly data: object;
  readonly list: readonly unknown[];
  readonly damage: readonly Damage[];
}

/** The endpoints whose big answers are read here, and where the long list is in them. */
const listIn: Readonly<Record<string, readonly string[]>> = {
  [agentStatus.name]: ["messages"],
  [getSession.name]: ["session", "messages"],
};
/** So many conversations are held for comparing; each is held in the worker as well. */
const mostHeld = 2;

/** The reader of a connection (`api.keep`). */
export const bodyReaderOf = ({ workers }: Api) => createBodyReader(() => workers.start("bodies"));

/** @param spawn starts the worker; called at the first read, and again after a worker died */
export function createBodyReader(spawn: () => WorkerEnd): BodyReader {
  const held = new Map<string, Held>();
  let lastRead = 0;
  const worker = callWorker<ReturnType<typeof bodyMethods>>(spawn, { onLoss: () => held.clear() });

  function hold(key: string, now: Held): void {
    held.delete(key);
    held.set(key, now);
    for (const old of [...held.keys()].slice(0, -mostHeld)) {
      held.delete(old);
      worker.tell("forget", old);
    }
  }

  return {
    async read(endpoint, key, text, signal) {
      const path = listIn[endpoint];
      if (!path) return undefined;
      lastRead += 1;
      const read = lastRead;
      const before = held.get(key);
      const at: number[] = [];
      const items: unknown[] = [];
      const damage: Damage[] = [];
      const onTold = (slice: BodySlice) => {
        if ("damage" in slice) damage.push(...slice.damage);
        else {
          at.push(...slice.at);
          items.push(...slice.items);
        }
      };
      const input = { read, endpoint, path, key, text, have: before?.read ?? null };
      // Whatever cannot be read here is left to the page.
      const end = await worker.call("read", input, { signal, onTold }).catch(() => null);
      signal?.throwIfAborted();
      if (!end) return undefined;
      const isSameList = at.length === 0 && (end.length ?? 0) === before?.list.length;
      const list = isSameList ? before.list : patched(before?.list ?? [], end.length ?? 0, at, items);
      const rest = end.rest ?? before?.data ?? {};
      const isSame = isSameList && end.rest === null;
      const data = isSame || end.length === null ? rest : withList(rest, path, list);
      const now: Held = { read, data, list, damage: end.isSameDamage ? (before?.damage ?? []) : damage };
      hold(key, now);
      return { data: now.data, damage: now.damage, isShared: true };
    },
    close: worker.close,
  };
}

function patched(
  before: readonly unknown[],
  length: number,
  at: readonly number[],
  items: readonly unknown[],
): readonly unknown[] {
  const list = before.slice(0, length);
  at.forEach((index, nth) => {
    list[index] = items[nth];
  });
  return list;
}

function withList(rest: object, [key = "", ...further]: readonly string[], list: readonly unknown[]): object {
  const inner =
    further.length === 0 ? list : withList((rest as Record<string, object>)[key] ?? {}, further, list);
  return { ...rest, [key]: inner };
}
