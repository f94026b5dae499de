import type { ReadBig } from "../../api/connection.ts";
import type { Damage } from "../../api/receive.ts";
import type { Api } from "../api.tsx";
import { type WorkerEnd, workerSeat } from "../workers/worker-seat.ts";
import { type FromBodies, listIn, type ToBodies } from "./body-messages.ts";

/** A worker, or in tests the desk itself. */
export type BodyPort = WorkerEnd<ToBodies, FromBodies>;

/** Reads answers that are too big for the page's own thread. */
export interface BodyReader {
  /** In the worker; a list comes over in slices, none of which keeps the page busy. */
  readonly read: ReadBig;
  close(): void;
}

interface Held {
  readonly id: number;
  readonly data: object;
  readonly list: readonly unknown[];
  readonly damage: readonly Damage[];
}
type Pending = (message: FromBodies | null) => void;

/** So many conversations are held for comparing; each is held in the worker as well. */
const mostHeld = 2;

/** The reader of a connection (`api.keep`). */
export const bodyReaderOf = ({ workers }: Api) => createBodyReader(() => workers.start("bodies"));

/** @param spawn starts the worker; called at the first read, and again after a worker died */
export function createBodyReader(spawn: () => BodyPort): BodyReader {
  const held = new Map<string, Held>();
  const pending = new Map<number, Pending>();
  let lastId = 0;

  const seat = workerSeat<ToBodies, FromBodies>(
    spawn,
    (message) => pending.get(message.id)?.(message),
    leaveAll,
  );

  /** Leaves whatever was asked to the page. */
  function leaveAll(): void {
    held.clear();
    for (const take of [...pending.values()]) take(null);
  }

  function hold(key: string, now: Held): void {
    held.delete(key);
    held.set(key, now);
    for (const old of [...held.keys()].slice(0, -mostHeld)) {
      held.delete(old);
      seat.tell({ type: "forget", key: old });
    }
  }

  return {
    async read(endpoint, key, text, signal) {
      const path = listIn[endpoint];
      if (!path) return undefined;
      signal?.throwIfAborted();
      lastId += 1;
      const id = lastId;
      const before = held.get(key);
      const at: number[] = [];
      const items: unknown[] = [];
      const damage: Damage[] = [];
      const end = await new Promise<Extract<FromBodies, { type: "read" }> | null>((resolve, reject) => {
        const settle = () => {
          pending.delete(id);
          signal?.removeEventListener("abort", onAbort);
        };
        const onAbort = () => {
          settle();
          reject(signal?.reason);
        };
        pending.set(id, (message) => {
          if (message?.type === "items") {
            at.push(...message.at);
            items.push(...message.items);
          } else if (message?.type === "damage") damage.push(...message.damage);
          else {
            settle();
            resolve(message?.type === "read" ? message : null);
          }
        });
        signal?.addEventListener("abort", onAbort, { once: true });
        seat.post({ type: "read", id, endpoint, key, text, have: before?.id ?? null });
      });
      if (!end) return undefined;
      const isSameList = at.length === 0 && (end.length ?? 0) === before?.list.length;
      const list = isSameList ? before.list : patched(before?.list ?? [], end.length ?? 0, at, items);
      const rest = end.rest ?? before?.data ?? {};
      const isSame = isSameList && end.rest === null;
      const data = isSame || end.length === null ? rest : withList(rest, path, list);
      const now: Held = { id, data, list, damage: end.isSameDamage ? (before?.damage ?? []) : damage };
      hold(key, now);
      return { data: now.data, damage: now.damage, isShared: true };
    },
    close() {
      seat.end();
      leaveAll();
    },
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
