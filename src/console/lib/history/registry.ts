import { newId } from "../../api/ids.ts";
import { Store } from "../../api/store.ts";
import { type KeyValue, onceWell } from "./key-value.ts";
import type { Known } from "./known-run.ts";

/** What a read tells of a record; `last` without the time, which is now. */
export type SeenFacts<T extends Known> = Partial<Omit<T, "last">> & {
  readonly last?: Omit<NonNullable<T["last"]>, "seenAt">;
};

/**
 * Notes what a page has read a moment after it was drawn: writing it down must not keep anyone waiting for the page.
 * @returns what an effect returns: where the page has been left before that, nothing is written
 */
export function onceDrawn(note: () => Promise<void>): () => void {
  const timer = setTimeout(() => void note(), 100);
  return () => clearTimeout(timer);
}

/** At most so many records of one kind are kept for one identity. */
export const mostKept = 2_000;

/** Records of one kind that this browser keeps for one identity, newest first; the database below may fail (C-30). */
export class Registry<T extends Known> {
  readonly list = new Store<readonly T[]>([]);
  protected readonly now: () => number;
  readonly store: KeyValue;
  readonly #prefix: string;
  readonly #parse: (value: unknown) => T | null;
  readonly #about: keyof T;
  #loaded: Promise<void> | null = null;

  /**
   * @param prefix of its keys in the store; names kind and identity
   * @param parse a stored record; null for one that is corrupted or of another time
   * @param about the field that says what a record is about; one that was not begun here has its value as its id
   */
  constructor(
    store: KeyValue,
    prefix: string,
    parse: (value: unknown) => T | null,
    now: () => number,
    about: keyof T,
  ) {
    this.store = store;
    this.#prefix = prefix;
    this.#parse = parse;
    this.#about = about;
    this.now = now;
  }

  /** Why things are not kept beyond this page; null while they are. */
  get trouble() {
    return this.store.trouble;
  }

  /** Reads what is kept, once. Corrupted entries are thrown away; a start cut off by a reload becomes `unclear`. */
  readonly load = (): Promise<void> => {
    this.#loaded ??= this.#read();
    return this.#loaded;
  };

  /** Takes records off the list; what they are about is not touched. */
  readonly forget = async (...ids: string[]): Promise<void> => {
    this.#show([], ids);
    await this.store.remove(ids.map((id) => this.#prefix + id));
  };

  /** Adds or replaces records. All are written at the same time, so a few hundred are the most. */
  readonly take = async (records: readonly T[]): Promise<void> => {
    this.#show(records);
    await Promise.all(records.map((one) => this.store.write(this.#prefix + one.id, one)));
  };

  /**
   * The start was refused, or got lost.
   * @param surely the service said no; false: nothing came back, so it may have started
   */
  readonly failed = (id: string, surely: boolean, error: string | null): Promise<void> =>
    this.change(id, { start: surely ? "refused" : "unclear", error } as Partial<T>);

  /** Notes what was met elsewhere, and what a read said of it, if it told anything. */
  protected see({ last, ...facts }: SeenFacts<T>, known: T): Promise<void> {
    const seen = last && { last: { ...last, seenAt: this.now() } };
    return this.put(known, { ...withoutNothing(facts), ...seen }, true);
  }

  /** What a new record has, whatever it is about. */
  protected blank(id = newId()) {
    return { id, start: "started", knownAt: this.now(), projectId: null, last: null, error: null } as const;
  }

  protected async change(id: string, part: Partial<T>): Promise<void> {
    const one = this.list.get().find((known) => known.id === id);
    if (one) await this.take([{ ...one, ...part }]);
  }

  /**
   * Adds a record, or changes a part of it: what another tab wrote of the rest stays. Nothing is written where only the
   * time of the last read differs.
   * @param isRead a read alone does not bring back what another tab has forgotten
   */
  protected async put(known: T, part: object, isRead = false): Promise<void> {
    const next = { ...known, ...part };
    const isNew = !this.list.get().includes(known);
    if (!isNew && sameButSeenAt(known, next)) return;
    this.#show([next]);
    // What is kept is spread alone, whatever it is: reading it parses it.
    await this.store.update(this.#prefix + known.id, (kept) =>
      kept || isNew || !isRead || this.trouble.get() ? { ...next, ...(kept as object), ...part } : undefined,
    );
  }

  #show(records: readonly T[], ids = records.map(({ id }) => id)): void {
    const others = this.list.get().filter(({ id }) => !ids.includes(id));
    this.list.set([...records, ...others].sort(newestFirst));
  }

  async #read(): Promise<void> {
    const bad: string[] = [];
    const found: T[] = [];
    for (const [key, value] of await this.store.read(this.#prefix)) {
      const one = this.#parse(value);
      if (!one) bad.push(key);
      else found.push(one.start === "sending" ? { ...one, start: "unclear" } : one);
    }
    // What this page has of one is newer, and of the same moment first.
    const own = this.list.get();
    const byId = new Map([...own, ...found, ...own].map((one) => [one.id, one]));
    const all = [...byId.values()].sort(newestFirst);
    const begun = new Map(
      all.map((one): [unknown, T] => [one.provenance === "started-here" && one[this.#about], one]),
    );
    // A tab that did not know of the start met it as one from elsewhere.
    const once = all.filter(({ id }) => !begun.has(id));
    const twice = all.filter(({ id }) => begun.has(id));
    // Where there is nothing, nothing changes: a page that is being drawn would be drawn again for it.
    if (once.length > 0) this.list.set(once.slice(0, mostKept));
    bad.push(...[...once.slice(mostKept), ...twice].map((one) => this.#prefix + one.id));
    // With whether it was watched by hand there. It is in the map: that makes it one of these.
    if (twice.length > 0)
      await this.take(twice.map(({ id, watched }) => ({ watched, ...(begun.get(id) as T) })));
    if (bad.length) await this.store.remove(bad);
    if (this.trouble.get()) onceWell(this.store, () => this.#read());
  }
}

const newestFirst = (a: Known, b: Known) => b.knownAt - a.knownAt;

/** The facts that are known: what a read leaves out does not wipe what an earlier one told. */
export function withoutNothing<F extends object>(facts: F): Partial<F> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value != null)) as Partial<F>;
}

function sameButSeenAt(a: Known, b: Known): boolean {
  const plain = (one: Known) => JSON.stringify({ ...one, last: one.last && { ...one.last, seenAt: 0 } });
  return plain(a) === plain(b);
}
