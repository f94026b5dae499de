import type { TabChannel } from "../../api/across-tabs.ts";
import { Store } from "../../api/store.ts";
import { type KeyValue, onceWell } from "./key-value.ts";

/** Makes one draft of the one that was kept and of what was typed before that was known. */
export type Join = (kept: unknown, typed: unknown) => unknown;

const typedWins: Join = (_kept, typed) => typed;

/** What a person typed and has not sent, by the name of its place (`message agent_7`). Survives a reload and a 401. */
export class Drafts {
  /** The browser's store has told what it keeps. Until then nothing is written to it, so that nothing unseen is lost. */
  readonly isKnown = new Store(false);
  #isClosed = false;
  #loading: Promise<void> | null = null;
  readonly #store: KeyValue;
  readonly #prefix: string;
  readonly #channel: TabChannel | null;
  readonly #current = new Map<string, unknown>();
  /** What was changed before the store had answered, and how it goes together with what is kept. */
  readonly #early = new Map<string, Join>();
  readonly #listeners = new Set<(name: string) => void>();

  /** @param channel to the other tabs; null: they hear of nothing */
  constructor(store: KeyValue, identity: string, channel: TabChannel | null = null) {
    this.#store = store;
    this.#prefix = `draft ${identity} `;
    this.#channel = channel;
    channel?.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && data.startsWith(this.#prefix))
        void this.refresh(data.slice(this.#prefix.length));
    });
  }

  /** Reads all drafts, once, so that `get` can answer at once. Resolves without them where the store does not answer. */
  load(): Promise<void> {
    this.#loading ??= this.#read();
    return this.#loading;
  }

  /** The draft, or undefined. Its shape is the caller's to check: an older version may have written it. */
  get(name: string): unknown {
    return this.#current.get(name);
  }

  /** The names of all drafts that begin so. */
  names(prefix: string): string[] {
    return [...this.#current.keys()].filter((name) => name.startsWith(prefix));
  }

  /** Hears the name of each draft that changes: here, in another tab, or because the store has answered. */
  readonly subscribe = (listener: (name: string) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Reads one draft anew: another tab may have changed it meanwhile. */
  async refresh(name: string): Promise<void> {
    await this.load();
    if (!this.isKnown.get()) return;
    const kept = await this.#store.fresh(this.#prefix + name);
    // A store that fails knows less than what is shown: only what was written to it since.
    if (!this.trouble.get()) this.#show(name, kept);
  }

  /** Why drafts are not kept beyond this page; null while they are. */
  get trouble() {
    return this.#store.trouble;
  }

  /** The session has ended: what a page still wants to keep while it is left is kept no more (C-26). */
  close(): void {
    this.#isClosed = true;
    this.#current.clear();
    this.#early.clear();
    this.#channel?.close();
  }

  /**
   * Keeps a draft; resolves when it is written, or cannot be.
   * @param join how it goes together with one that was kept and not known yet; without it what is typed wins
   */
  set(name: string, value: unknown, join: Join = typedWins): Promise<void> {
    return this.#put(name, value, join);
  }

  remove(name: string): Promise<void> {
    return this.#put(name, undefined, typedWins);
  }

  /**
   * Changes a draft as the store has it now, in one step over all tabs: what another tab wrote meanwhile is seen.
   * @param change the new draft of the kept one; undefined is none
   * @returns the draft afterwards
   */
  async change(name: string, change: (kept: unknown) => unknown): Promise<unknown> {
    await this.load();
    if (this.#isClosed) return undefined;
    if (!this.isKnown.get()) {
      const before = this.#current.get(name);
      const join = this.#early.get(name);
      this.#early.set(name, (kept) => change(join ? join(kept, before) : kept));
      this.#show(name, change(before));
      return this.#current.get(name);
    }
    const next = await this.#store.update(this.#prefix + name, (kept) =>
      change(this.trouble.get() ? this.#current.get(name) : kept),
    );
    this.#show(name, next);
    this.#tell(name);
    return next;
  }

  /** @param value undefined removes it */
  async #put(name: string, value: unknown, join: Join): Promise<void> {
    if (this.#isClosed) return;
    this.#show(name, value);
    if (!this.isKnown.get()) {
      // What was kept and not seen yet is nobody's to remove.
      if (value === undefined) this.#early.delete(name);
      else this.#early.set(name, join);
      return this.load();
    }
    const key = this.#prefix + name;
    await (value === undefined ? this.#store.remove([key]) : this.#store.write(key, value));
    this.#tell(name);
  }

  #show(name: string, value: unknown): void {
    if (this.#isClosed) return;
    if (value === undefined) this.#current.delete(name);
    else this.#current.set(name, value);
    for (const listener of [...this.#listeners]) listener(name);
  }

  #tell(name: string): void {
    if (!this.#isClosed) this.#channel?.postMessage(this.#prefix + name);
  }

  async #read(): Promise<void> {
    const kept = await this.#store.read(this.#prefix);
    if (this.#isClosed) return;
    const found = new Map(kept.map(([key, value]) => [key.slice(this.#prefix.length), value]));
    if (this.trouble.get()) {
      onceWell(this.#store, () => this.#read());
      for (const [name, value] of found) if (!this.#current.has(name)) this.#show(name, value);
      return;
    }
    const early = new Map<string, unknown>();
    for (const [name, join] of this.#early) {
      const typed = this.#current.get(name);
      early.set(name, found.has(name) ? join(found.get(name), typed) : typed);
    }
    this.#early.clear();
    for (const [name, value] of [...found, ...early]) this.#current.set(name, value);
    this.isKnown.set(true);
    for (const name of found.keys()) if (!early.has(name)) this.#show(name, found.get(name));
    await Promise.all([...early].map(([name, value]) => this.#put(name, value, typedWins)));
  }
}

/** Removes everything that this browser keeps of all identities: at sign-out (C-26). */
export async function clearAll(store: KeyValue): Promise<void> {
  const all = await store.read("");
  if (all.length > 0) await store.remove(all.map(([key]) => key));
}
