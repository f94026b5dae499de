import type { JsonObject } from "../json.ts";
import type { Opened } from "./connect.ts";

/** An open connection in use. */
export interface Lease {
  readonly opened: Opened;
  /** The inputs of its tools by their names, as they were read since it was opened; null: they were not. */
  inputs: ReadonlyMap<string, JsonObject> | null;
  /** Whether it was open already. */
  readonly known: boolean;
  /** Gives it back; a connection that is not to be used again is closed when nobody uses it any more. */
  done(usable: boolean): void;
}

interface Entry {
  readonly opened: Promise<Opened>;
  inputs: Lease["inputs"];
  users: number;
  gone: boolean;
  idle: NodeJS.Timeout | null;
}

/** Open connections of this process by their keys. Each is shared by all calls under its key. */
export interface Pool {
  /** @param open is called where none is open; it hears when the connection is gone by itself */
  lease(key: string, open: (closed: () => void) => Promise<Opened>): Promise<Lease>;
  /** Lets go of every connection whose key begins so. Calls in flight may end. */
  forget(beginning: string): void;
  close(): Promise<void>;
}

/** @param idleMs how long a connection that nobody uses stays open; null: for ever */
export function createPool(idleMs: (key: string) => number | null): Pool {
  const entries = new Map<string, Entry>();
  const closing = new Set<Promise<void>>();

  function remove(key: string, entry: Entry): void {
    if (entries.get(key) === entry) entries.delete(key);
    entry.gone = true;
    if (entry.idle !== null) clearTimeout(entry.idle);
    if (entry.users === 0) shut(entry);
  }

  function shut(entry: Entry): void {
    const closed = entry.opened.then(({ client }) => client.close()).catch(() => {});
    closing.add(closed);
    void closed.finally(() => closing.delete(closed));
  }

  return {
    async lease(key, open) {
      const known = entries.get(key);
      const entry: Entry = known ?? {
        opened: open(() => remove(key, entry)),
        inputs: null,
        users: 0,
        gone: false,
        idle: null,
      };
      if (!known) entries.set(key, entry);
      if (entry.idle !== null) clearTimeout(entry.idle);
      entry.users += 1;
      let isDone = false;
      const done = (usable: boolean) => {
        // Whoever fails after it gave the connection back gives it back again.
        if (isDone) return;
        isDone = true;
        entry.users -= 1;
        if (!usable && !entry.gone) remove(key, entry);
        else if (entry.users === 0 && entry.gone) shut(entry);
        const after = idleMs(key);
        if (entry.users === 0 && !entry.gone && after !== null) {
          entry.idle = setTimeout(() => remove(key, entry), after).unref();
        }
      };
      try {
        const opened = await entry.opened;
        return {
          opened,
          known: known !== undefined,
          get inputs() {
            return entry.inputs;
          },
          set inputs(value) {
            entry.inputs = value;
          },
          done,
        };
      } catch (error) {
        done(false);
        throw error;
      }
    },
    forget(beginning) {
      for (const [key, entry] of entries) if (key.startsWith(beginning)) remove(key, entry);
    },
    async close() {
      for (const [key, entry] of entries) {
        entry.users = 0;
        remove(key, entry);
      }
      await Promise.all(closing);
    },
  };
}
