import type { KeyValue } from "./key-value.ts";

/** What a person typed and has not sent, by the name of its place (`message agent_7`). Survives a reload and a 401. */
export class Drafts {
  #isClosed = false;
  readonly #store: KeyValue;
  readonly #prefix: string;
  readonly #current = new Map<string, unknown>();

  constructor(store: KeyValue, identity: string) {
    this.#store = store;
    this.#prefix = `draft ${identity} `;
  }

  /** Reads all drafts, so that `get` can answer at once. */
  async load(): Promise<void> {
    for (const [key, value] of await this.#store.read(this.#prefix)) {
      const name = key.slice(this.#prefix.length);
      if (!this.#current.has(name)) this.#current.set(name, value);
    }
  }

  /** The draft, or undefined. Its shape is the caller's to check: an older version may have written it. */
  get(name: string): unknown {
    return this.#current.get(name);
  }

  /** Reads one draft anew: another tab may have changed it meanwhile. */
  async refresh(name: string): Promise<void> {
    const value = await this.#store.fresh(this.#prefix + name);
    if (this.#isClosed) return;
    if (value === undefined) this.#current.delete(name);
    else this.#current.set(name, value);
  }

  /** Why drafts are not kept beyond this page; null while they are. */
  get trouble() {
    return this.#store.trouble;
  }

  /** The session has ended: what a page still wants to keep while it is left is kept no more (C-26). */
  close(): void {
    this.#isClosed = true;
    this.#current.clear();
  }

  async set(name: string, value: unknown): Promise<void> {
    if (this.#isClosed) return;
    this.#current.set(name, value);
    await this.#store.write(this.#prefix + name, value);
  }

  async remove(name: string): Promise<void> {
    this.#current.delete(name);
    await this.#store.remove([this.#prefix + name]);
  }
}

/** Removes everything that this browser keeps of all identities: at sign-out (C-26). */
export async function clearAll(store: KeyValue): Promise<void> {
  const all = await store.read("");
  if (all.length > 0) await store.remove(all.map(([key]) => key));
}
