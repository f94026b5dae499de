import type { KeyValue } from "./key-value.ts";

/** What a person typed and has not sent, by the name of its place (`message agent_7`). Survives a reload and a 401. */
export class Drafts {
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

  async set(name: string, value: unknown): Promise<void> {
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
