import { ConsoleError } from "../../api/errors.ts";
import { Store } from "../../api/store.ts";
import { SearchTooSlow } from "../runs/index.ts";

import type { Corpus } from "./corpus.ts";
import type { ArtifactsFound } from "./find-artifacts.ts";
import { inside, type Target } from "./targets.ts";
import type { SearchQuery } from "./worker/excerpt.ts";
import type { Hit, SearchKind } from "./worker/search-messages.ts";

type Status = "waiting" | "looking" | "done" | "failed";

/** One run or conversation, and how far it was looked through. */
export interface Looked {
  readonly target: Target;
  readonly status: Status;
  /** The first of them, in order. */
  readonly hits: readonly Hit[];
  /** How many places there are. */
  readonly found: number;
  /** Lines of its log that were looked through. */
  readonly lines: number;
  /** Why it could not be read. */
  readonly error: unknown;
  readonly agentId: string | null;
}

/** The artifacts, which are looked through all at once. */
export interface LookedArtifacts {
  readonly status: Status;
  readonly found: ArtifactsFound | null;
  readonly error: unknown;
}

export interface SearchState {
  /** In the order in which they were given. */
  readonly looked: readonly Looked[];
  /** Null: not looked through by this search. */
  readonly artifacts: LookedArtifacts | null;
  /** `stopped` by the person, or because its pattern never came to an end. */
  readonly end: "stopped" | "too slow" | null;
}

export interface SearchOptions {
  readonly corpus: Corpus;
  readonly query: SearchQuery;
  readonly kinds: readonly SearchKind[];
  /** Looks through the artifacts; null where they are not wanted. */
  readonly artifacts: ((signal: AbortSignal) => Promise<ArtifactsFound>) | null;
}

interface Entry {
  target: Target;
  status: Status;
  /** In what was known without reading it, and in what was read. */
  known: readonly Hit[];
  read: Hit[];
  foundKnown: number;
  foundRead: number;
  lines: number;
  error: unknown;
  agentId: string | null;
}

/** Told of one object at most. */
const mostHits = 50;
/** Pieces of work at a time: two may be read while a third is looked through. */
const together = 3;
const mostTries = 3;
/** Between two tellings, in ms. */
const quiet = 40;

/** One search through everything: newest first, what is held already before what has to be read. */
export class SearchRun {
  readonly state: Store<SearchState>;
  readonly #options: SearchOptions;
  readonly #entries = new Map<string, Entry>();
  #queue: (() => Promise<void>)[] = [];
  #working = 0;
  #artifacts: LookedArtifacts | null;
  #end: SearchState["end"] = null;
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Entries as they were told last: what does not change stays the same object. */
  readonly #shown = new WeakMap<Entry, Looked>();

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#artifacts = options.artifacts && { status: "waiting", found: null, error: null };
    this.state = new Store<SearchState>({ looked: [], artifacts: this.#artifacts, end: null });
    this.#queueArtifacts();
    this.#pump();
  }

  /** Looks through these as well; those that it has already are left as they are. */
  add(targets: readonly Target[]): void {
    const fresh = targets.filter(({ key }) => !this.#entries.has(key));
    for (const target of fresh) {
      this.#entries.set(target.key, {
        target,
        status: "waiting",
        known: [],
        read: [],
        foundKnown: 0,
        foundRead: 0,
        lines: 0,
        error: null,
        agentId: target.agentId,
      });
    }
    this.#order(targets);
    this.#begin(fresh);
  }

  /** Tries again what could not be read. */
  retry(): void {
    if (this.#artifacts?.status === "failed") this.#queueArtifacts();
    this.#begin(
      [...this.#entries.values()].filter(({ status }) => status === "failed").map(({ target }) => target),
    );
  }

  /** Ends it; what was found stays. */
  stop(end: "stopped" | "too slow" = "stopped"): void {
    this.#stop.abort();
    this.#queue = [];
    this.#end = end;
    this.#options.corpus.stop();
    this.#tell();
  }

  /** Goes on where it was stopped. */
  resume(): void {
    this.#stop = new AbortController();
    this.#end = null;
    if (this.#artifacts && this.#artifacts.status !== "done") this.#queueArtifacts();
    this.#begin(
      [...this.#entries.values()].filter(({ status }) => status !== "done").map(({ target }) => target),
    );
  }

  /** Nobody looks any more. What is being read is left to the next search. */
  close(): void {
    this.#stop.abort();
    this.#queue = [];
    clearTimeout(this.#timer);
  }

  #order(targets: readonly Target[]): void {
    const entries = targets.flatMap(({ key }) => this.#entries.get(key) ?? []);
    const others = [...this.#entries.values()].filter((one) => !entries.includes(one));
    this.#entries.clear();
    for (const one of [...entries, ...others]) this.#entries.set(one.target.key, one);
  }

  #begin(targets: readonly Target[]): void {
    const { corpus, kinds } = this.#options;
    const entries = targets.flatMap(({ key }) => this.#entries.get(key) ?? []);
    const isRead = (one: Entry) => inside[one.target.kind].some((kind) => kinds.includes(kind));
    for (const one of entries) {
      one.status = isRead(one) ? "waiting" : "done";
      this.#shown.delete(one);
    }
    const known = entries.filter((one) => one.target.fields.some(({ kind }) => kinds.includes(kind)));
    const read = entries.filter(isRead);
    const held = read.filter((one) => corpus.has(one.target));
    this.#queue.push(
      ...known.map((one) => () => this.#lookKnown(one)),
      ...held.map((one) => () => this.#lookInside(one)),
      ...read.filter((one) => !held.includes(one)).map((one) => () => this.#lookInside(one)),
    );
    this.#pump();
    this.#tell();
  }

  #pump(): void {
    while (this.#working < together) {
      const work = this.#queue.shift();
      if (!work) return;
      this.#working += 1;
      void work().finally(() => {
        this.#working -= 1;
        this.#pump();
      });
    }
  }

  async #lookKnown(entry: Entry): Promise<void> {
    const { signal } = this.#stop;
    const hits: Hit[] = [];
    try {
      const looked = await this.#find(null, entry, (more) => hits.push(...more), signal);
      entry.known = hits;
      entry.foundKnown = looked?.hits ?? 0;
      this.#tell(entry);
    } catch (error) {
      if (!signal.aborted) this.#failed(entry, error);
    }
  }

  async #lookInside(entry: Entry): Promise<void> {
    const { corpus } = this.#options;
    const { signal } = this.#stop;
    const { target } = entry;
    entry.status = "looking";
    entry.error = null;
    try {
      for (let tries = 1; ; tries += 1) {
        const facts = await this.#ensure(target, signal);
        entry.agentId = facts.agentId ?? target.agentId;
        const hits: Hit[] = [];
        const onHits = (more: readonly Hit[]) => {
          hits.push(...more);
          entry.read = [...hits];
          this.#tell(entry);
        };
        const looked = await this.#find(target.key, entry, onHits, signal);
        if (looked) {
          Object.assign(entry, { status: "done", read: hits, foundRead: looked.hits, lines: looked.lines });
          this.#tell(entry);
          return;
        }
        corpus.isGone(target);
        if (tries === mostTries) throw new Error("There is no room for it in memory");
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(entry, error);
    }
  }

  /** Asks again where the service said when: the turn waits for that. */
  async #ensure(target: Target, signal: AbortSignal) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#options.corpus.ensure(target, signal);
      } catch (error) {
        const isAsked = error instanceof ConsoleError && error.retryAfterMs !== null;
        if (!isAsked || tries === mostTries || signal.aborted) throw error;
      }
    }
  }

  #find(key: string | null, { target }: Entry, onHits: (hits: readonly Hit[]) => void, signal: AbortSignal) {
    const { corpus, query, kinds } = this.#options;
    const fields = key === null ? target.fields : [];
    return corpus.searcher.find({ key, fields, query, kinds, most: mostHits }, onHits, signal);
  }

  #failed(entry: Entry, error: unknown): void {
    if (error instanceof SearchTooSlow) {
      this.stop("too slow");
      return;
    }
    entry.status = "failed";
    entry.error = error;
    this.#tell(entry);
  }

  #queueArtifacts(): void {
    const { artifacts } = this.#options;
    if (!artifacts) return;
    this.#artifacts = { status: "waiting", found: null, error: null };
    this.#queue.push(async () => {
      const { signal } = this.#stop;
      try {
        this.#artifacts = { status: "done", found: await artifacts(signal), error: null };
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof SearchTooSlow) this.stop("too slow");
        else this.#artifacts = { status: "failed", found: null, error };
      }
      this.#tell();
    });
  }

  #tell(entry?: Entry): void {
    if (entry) this.#shown.delete(entry);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.state.set({
        looked: [...this.#entries.values()].map((one) => {
          const view = this.#shown.get(one) ?? shown(one);
          this.#shown.set(one, view);
          return view;
        }),
        artifacts: this.#artifacts,
        end: this.#end,
      });
    }, quiet);
  }
}

function shown({ known, read, foundKnown, foundRead, ...rest }: Entry): Looked {
  return {
    ...rest,
    hits: [...known, ...read],
    found: Math.max(foundKnown, known.length) + Math.max(foundRead, read.length),
  };
}
