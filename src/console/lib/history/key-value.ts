import { createStore, delMany, entries, get, promisifyRequest, set } from "idb-keyval";
import { Store } from "../../api/store.ts";

/** A small store of JSON values by text keys. Nothing in it throws: C-30. */
export interface KeyValue {
  /** All entries whose key starts with `prefix`. */
  read(prefix: string): Promise<readonly (readonly [key: string, value: unknown])[]>;
  /** One entry as the database has it now, also where another tab wrote it; undefined: none. */
  fresh(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Changes one entry in one step, so that no other tab comes in between.
   * @param change makes the new value of what is there (undefined: nothing is); undefined removes it
   * @returns what is there afterwards
   */
  update(key: string, change: (kept: unknown) => unknown): Promise<unknown>;
  /**
   * Set when the browser's storage failed: from then on things last until the page is left. Null again once a database
   * that was only slow has answered, and has what it missed.
   */
  readonly trouble: Store<StorageTrouble | null>;
}

/** Why nothing is kept: `blocked` by the browser, `full`, or `failing` for another reason. */
export type StorageTrouble = "blocked" | "full" | "failing";

/** Calls once a database that was only slow has answered. */
export function onceWell({ trouble }: Pick<KeyValue, "trouble">, run: () => Promise<void>): void {
  const stop = trouble.subscribe(() => {
    if (trouble.get()) return;
    stop();
    void run();
  });
}

const timeoutMs = 1_500;

/**
 * IndexedDB below a copy in memory: reads and writes go on when the database is blocked, full, broken or stuck. What is
 * still being written when the page is left is taken over at the next start, or by another tab.
 * @param page where `pagehide` and `pageshow` are heard
 */
export function browserStore(databaseName: string, page: EventTarget = window): KeyValue {
  const memory = new Map<string, unknown>();
  const stash = unwritten(databaseName);
  const underway = new Map<string, Change>();
  let isLeaving = false;
  page.addEventListener("pagehide", () => {
    isLeaving = true;
    for (const [key, change] of underway) stash.keep(key, change);
  });
  page.addEventListener("pageshow", () => {
    isLeaving = false;
  });
  const trouble = new Store<StorageTrouble | null>(null);
  let database: ReturnType<typeof createStore> | null = null;
  /** What only memory has, since the database has not answered. */
  const missed = new Map<string, Change>();

  async function attempt<T>(work: (store: ReturnType<typeof createStore>) => Promise<T>): Promise<T | null> {
    if (trouble.get() !== null) return null;
    const fail = (error: unknown) => {
      trouble.set(troubleOf(error));
      return null;
    };
    try {
      database ??= createStore(databaseName, "entries");
      const asked = work(database);
      return await inTime(asked, () => asked.then(() => recover(), fail));
    } catch (error) {
      return fail(error);
    }
  }

  /** The database was slow and has answered now. */
  function recover(): void {
    const changes = new Map(missed);
    missed.clear();
    trouble.set(null);
    redo(changes);
  }

  /** The change is in the database, or nowhere but in memory, when this resolves. */
  async function change(changes: ReadonlyMap<string, Change>, work: Parameters<typeof attempt>[0]) {
    for (const [key, one] of changes) {
      underway.set(key, one);
      if (isLeaving) stash.keep(key, one);
    }
    const isWritten = (await attempt(work)) !== null;
    for (const [key, one] of changes) {
      if (!isWritten) missed.set(key, one);
      if (underway.get(key) !== one) continue;
      underway.delete(key);
      stash.forget(key);
    }
  }

  async function write(key: string, value: unknown): Promise<void> {
    memory.set(key, value);
    await change(new Map([[key, { value }]]), (store) => set(key, value, store));
  }

  async function remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) memory.delete(key);
    const changes = new Map(keys.map((key) => [key, {}]));
    await change(changes, (store) => delMany([...keys], store));
  }

  const redo = (changes: Iterable<readonly [string, Change]>) =>
    Promise.all([...changes].map(([key, one]) => ("value" in one ? write(key, one.value) : remove([key]))));

  /** Each time: another page may have been left since. */
  async function takeOver(): Promise<void> {
    await redo([...stash.read()].filter(([key]) => !underway.has(key) && !memory.has(key)));
  }

  return {
    trouble,
    async read(prefix) {
      await takeOver();
      const kept = await attempt((store) => entries<IDBValidKey, unknown>(store));
      const found = new Map<string, unknown>();
      for (const [key, value] of kept ?? []) if (typeof key === "string") found.set(key, value);
      // What the database has no more, another tab has removed.
      for (const [key, value] of memory)
        if (!kept || found.has(key) || underway.has(key)) found.set(key, value);
        else memory.delete(key);
      return [...found].filter(([key]) => key.startsWith(prefix));
    },
    async fresh(key) {
      await takeOver();
      const kept = await attempt(async (store) => ({ value: await get<unknown>(key, store) }));
      // What is being written here is newer than what was read.
      if (kept === null || underway.has(key)) return memory.get(key);
      if (kept.value === undefined) memory.delete(key);
      else memory.set(key, kept.value);
      return kept.value;
    },
    write,
    remove,
    async update(key, change) {
      await takeOver();
      const done = await attempt(async (store) => ({ value: await updateIn(store, key, change) }));
      if (done !== null) {
        if (underway.has(key)) return memory.get(key);
        if (done.value === undefined) memory.delete(key);
        else memory.set(key, done.value);
        return done.value;
      }
      const next = change(memory.get(key));
      await (next === undefined ? remove([key]) : write(key, next));
      return next;
    },
  };
}

/** Reads and writes in one transaction: a database lets no other one on the same entries run meanwhile. */
function updateIn(
  store: ReturnType<typeof createStore>,
  key: string,
  change: (kept: unknown) => unknown,
): Promise<unknown> {
  return store("readwrite", async (objects) => {
    const next = change(await promisifyRequest<unknown>(objects.get(key)));
    if (next === undefined) objects.delete(key);
    else objects.put(next, key);
    await promisifyRequest(objects.transaction);
    return next;
  });
}

function troubleOf(error: unknown): StorageTrouble {
  const name = String((error as { name?: unknown } | null)?.name);
  if (name === "QuotaExceededError") return "full";
  if (name === "SecurityError" || name === "InvalidStateError" || name === "ReferenceError") return "blocked";
  return "failing";
}

/** A database that another tab blocks may never answer; a start must not wait for it. `onLate` hears of one that is late. */
function inTime<T>(work: Promise<T>, onLate: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error("The browser’s database did not respond"));
      onLate();
    }, timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** What a page that is being left could not hand to the browser's database in time. */
interface Unwritten {
  /** Changes by key; `value` is absent where the key was removed. Empty where the storage is blocked or broken. */
  read(): ReadonlyMap<string, Change>;
  keep(key: string, change: Change): void;
  forget(key: string): void;
}

type Change = { readonly value: unknown } | { readonly value?: never };

/**
 * A database write that begins while the page is being left may be cut off; `localStorage` is written at once. An
 * entry lives from there until another page takes it over, or the next start.
 * @param name of the database whose writes these are
 */
function unwritten(name: string, storage: () => Storage = () => localStorage): Unwritten {
  const prefix = `${name}:unwritten `;
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  return {
    read: () =>
      attempt(() => {
        const kept = storage();
        const keys = Object.keys(kept).filter((key) => key.startsWith(prefix));
        const changes = new Map<string, Change>();
        for (const key of keys) {
          const change = attempt<unknown>(() => JSON.parse(kept.getItem(key) ?? ""), null);
          if (typeof change === "object" && change !== null) changes.set(key.slice(prefix.length), change);
          else kept.removeItem(key);
        }
        return changes;
      }, new Map()),
    keep: (key, change) => attempt(() => storage().setItem(prefix + key, JSON.stringify(change)), undefined),
    forget: (key) => attempt(() => storage().removeItem(prefix + key), undefined),
  };
}
