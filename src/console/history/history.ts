import { newId } from "../api/ids.ts";
import { Store } from "../api/store.ts";
import type { KeyValue } from "./key-value.ts";
import { type KnownRun, type Provenance, parseKnownRun } from "./known-run.ts";

/** What is known when a start call is about to be sent. */
export type RunToStart = Pick<KnownRun, "savedItemId" | "savedItemName" | "projectId" | "inputs">;

const kept = 2_000;

/**
 * The runs that this browser knows for one identity: started here, opened by address, added by id. A start is written
 * down before it is sent, so that no reload or crash loses a run. Never "all runs": only the service can say that.
 */
export class History {
  /** Newest first. */
  readonly runs = new Store<readonly KnownRun[]>([]);
  readonly #store: KeyValue;
  readonly #prefix: string;
  readonly #now: () => number;
  #loaded: Promise<void> | null = null;

  constructor(store: KeyValue, identity: string, now: () => number = Date.now) {
    this.#store = store;
    this.#prefix = `run ${identity} `;
    this.#now = now;
  }

  /** Why things are not kept beyond this page; null while they are. */
  get trouble() {
    return this.#store.trouble;
  }

  /** Reads what is kept, once. Corrupted entries are thrown away; a start cut off by a reload becomes `unclear`. */
  readonly load = (): Promise<void> => {
    this.#loaded ??= this.#read();
    return this.#loaded;
  };

  /** Writes down a run before its start call goes out. Its `id` is the call's idempotency key. */
  readonly begin = async (run: RunToStart): Promise<KnownRun> => {
    const record: KnownRun = { ...this.#blank("started-here"), ...run, start: "sending" };
    await this.#put(record);
    return record;
  };

  /** The service has started it. */
  readonly started = (id: string, runId: string): Promise<void> =>
    this.#change(id, { runId, start: "started" });

  /** @param surely the service said no; false: nothing came back, so it may have started */
  readonly failed = (id: string, surely: boolean, error: string | null): Promise<void> =>
    this.#change(id, { start: surely ? "refused" : "unclear", error });

  /** Notes a run that was met elsewhere, and what a read said of it. Creates the record where it is new. */
  readonly saw = async (
    runId: string,
    facts: Partial<Pick<KnownRun, "savedItemId" | "savedItemName" | "projectId">> & {
      readonly last?: Omit<NonNullable<KnownRun["last"]>, "seenAt">;
    },
    provenance: Provenance = "opened",
  ): Promise<void> => {
    const { last, ...rest } = facts;
    const known = this.runs.get().find((run) => run.runId === runId);
    const base = known ?? { ...this.#blank(provenance), runId, start: "started" as const };
    const next: KnownRun = {
      ...base,
      ...withoutNothing(rest),
      ...(last ? { last: { ...last, seenAt: this.#now() } } : {}),
    };
    if (known && sameButSeenAt(known, next)) return;
    await this.#put(next);
  };

  /** Takes a run off the list; the run itself is not touched. */
  readonly forget = async (id: string): Promise<void> => {
    this.runs.set(this.runs.get().filter((run) => run.id !== id));
    await this.#store.remove([this.#prefix + id]);
  };

  #blank(provenance: Provenance): KnownRun {
    return {
      id: newId(),
      runId: null,
      start: "started",
      provenance,
      savedItemId: null,
      savedItemName: null,
      projectId: null,
      inputs: null,
      knownAt: this.#now(),
      last: null,
      error: null,
    };
  }

  async #read(): Promise<void> {
    const bad: string[] = [];
    const found: KnownRun[] = [];
    const fresh = new Set(this.runs.get().map((run) => run.id));
    for (const [key, value] of await this.#store.read(this.#prefix)) {
      const run = parseKnownRun(value);
      if (!run) bad.push(key);
      else if (!fresh.has(run.id)) found.push(run.start === "sending" ? { ...run, start: "unclear" } : run);
    }
    const all = [...this.runs.get(), ...found].sort((a, b) => b.knownAt - a.knownAt);
    this.runs.set(all.slice(0, kept));
    const old = all.slice(kept).map((run) => this.#prefix + run.id);
    if (bad.length + old.length > 0) await this.#store.remove([...bad, ...old]);
  }

  async #change(id: string, part: Partial<KnownRun>): Promise<void> {
    const run = this.runs.get().find((one) => one.id === id);
    if (run) await this.#put({ ...run, ...part });
  }

  async #put(run: KnownRun): Promise<void> {
    const others = this.runs.get().filter((one) => one.id !== run.id);
    this.runs.set([run, ...others].sort((a, b) => b.knownAt - a.knownAt));
    await this.#store.write(this.#prefix + run.id, run);
  }
}

function withoutNothing<T extends object>(facts: T): Partial<T> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value != null)) as Partial<T>;
}

function sameButSeenAt(a: KnownRun, b: KnownRun): boolean {
  const plain = (run: KnownRun) => JSON.stringify({ ...run, last: run.last && { ...run.last, seenAt: 0 } });
  return plain(a) === plain(b);
}
