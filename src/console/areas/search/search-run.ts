import { ConsoleError } from "../../api/errors.ts";
import { Store } from "../../api/store.ts";
import { ConcurrencyLimit } from "../../lib/many/concurrency-limit.ts";
import { SearchTooSlow } from "../runs/index.ts";
import type { Corpus } from "./corpus.ts";
import type { ArtifactsFound } from "./find-artifacts.ts";
import { inside, type Target } from "./targets.ts";
import type { SearchQuery } from "./worker/excerpt.ts";
import type { Hit, SearchKind } from "./worker/hit.ts";

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

/** The first places, and how many there are. */
interface Places {
  readonly hits: readonly Hit[];
  readonly found: number;
}

/** What is told of an object, and from where: what was known without reading it, and what was read. */
interface Entry extends Looked {
  readonly known: Places;
  readonly read: Places;
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
  #entries = new Map<string, Entry>();
  readonly #limit = new ConcurrencyLimit(together);
  #artifacts: LookedArtifacts | null;
  #end: SearchState["end"] = null;
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#artifacts = options.artifacts && { status: "waiting", found: null, error: null };
    this.state = new Store<SearchState>({ looked: [], artifacts: this.#artifacts, end: null });
    this.#queueArtifacts();
  }

  /** Looks through these as well; those that it has already are left as they are. */
  add(targets: readonly Target[]): void {
    const fresh = targets.filter(({ key }) => !this.#entries.has(key));
    const entries = new Map(
      targets.map((target) => [target.key, this.#entries.get(target.key) ?? entryOf(target)]),
    );
    for (const [key, other] of this.#entries) if (!entries.has(key)) entries.set(key, other);
    this.#entries = entries;
    this.#begin(fresh);
  }

  /** Tries again what could not be read. */
  retry(): void {
    if (this.#artifacts?.status === "failed") this.#queueArtifacts();
    this.#begin(this.#targets((status) => status === "failed"));
  }

  /** Ends it; what was found stays. */
  stop(end: "stopped" | "too slow" = "stopped"): void {
    this.#stop.abort();
    this.#end = end;
    this.#options.corpus.stop();
    this.#tell();
  }

  /** Goes on where it was stopped. */
  resume(): void {
    this.#stop = new AbortController();
    this.#end = null;
    if (this.#artifacts && this.#artifacts.status !== "done") this.#queueArtifacts();
    this.#begin(this.#targets((status) => status !== "done"));
  }

  /** Nobody looks any more. What is being read is left to the next search. */
  close(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  #targets(fits: (status: Status) => boolean): readonly Target[] {
    return [...this.#entries.values()].filter(({ status }) => fits(status)).map(({ target }) => target);
  }

  #begin(targets: readonly Target[]): void {
    const { corpus, kinds } = this.#options;
    const isRead = ({ kind }: Target) => inside[kind].some((one) => kinds.includes(one));
    for (const one of targets) this.#change(one, { status: isRead(one) ? "waiting" : "done" });
    const known = targets.filter(({ fields }) => fields.some(({ kind }) => kinds.includes(kind)));
    const read = targets.filter(isRead);
    const held = read.filter((one) => corpus.has(one));
    for (const one of known) this.#queue(() => this.#lookKnown(one));
    for (const one of held) this.#queue(() => this.#lookInside(one));
    for (const one of read) if (!held.includes(one)) this.#queue(() => this.#lookInside(one));
    this.#tell();
  }

  /** Until it is stopped. */
  #queue(work: () => Promise<void>): void {
    this.#limit.take(work, this.#stop.signal).catch(() => {});
  }

  async #lookKnown(target: Target): Promise<void> {
    const { signal } = this.#stop;
    const hits: Hit[] = [];
    try {
      const looked = await this.#find(null, target, (more) => hits.push(...more), signal);
      this.#change(target, { known: { hits, found: looked?.hits ?? hits.length } });
    } catch (error) {
      if (!signal.aborted) this.#failed(target, error);
    }
  }

  async #lookInside(target: Target): Promise<void> {
    const { signal } = this.#stop;
    this.#change(target, { status: "looking", error: null });
    try {
      for (let tries = 1; ; tries += 1) {
        const facts = await this.#ensure(target, signal);
        this.#change(target, { agentId: facts.agentId ?? target.agentId });
        const hits: Hit[] = [];
        const onHits = (more: readonly Hit[]) => {
          hits.push(...more);
          this.#change(target, { read: { hits: [...hits], found: hits.length } });
        };
        const looked = await this.#find(target.key, target, onHits, signal);
        if (looked) {
          const read = { hits, found: looked.hits };
          this.#change(target, { status: "done", read, lines: looked.lines });
          return;
        }
        this.#options.corpus.isGone(target);
        if (tries === mostTries) throw new Error("Not enough memory");
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(target, error);
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

  #find(key: string | null, target: Target, onHits: (hits: readonly Hit[]) => void, signal: AbortSignal) {
    const { corpus, query, kinds } = this.#options;
    const fields = key === null ? target.fields : [];
    return corpus.searcher.find({ key, fields, query, kinds, most: mostHits }, onHits, signal);
  }

  #failed(target: Target, error: unknown): void {
    if (error instanceof SearchTooSlow) this.stop("too slow");
    else this.#change(target, { status: "failed", error });
  }

  /** What does not change stays the same object. */
  #change({ key }: Target, part: Partial<Entry>): void {
    const old = this.#entries.get(key);
    if (!old) return;
    const { known, read, ...rest } = { ...old, ...part };
    this.#entries.set(key, {
      ...rest,
      known,
      read,
      hits: [...known.hits, ...read.hits],
      found: known.found + read.found,
    });
    this.#tell();
  }

  #queueArtifacts(): void {
    const { artifacts } = this.#options;
    if (!artifacts) return;
    this.#artifacts = { status: "waiting", found: null, error: null };
    this.#queue(async () => {
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

  #tell(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const looked = [...this.#entries.values()];
      this.state.set({ looked, artifacts: this.#artifacts, end: this.#end });
    }, quiet);
  }
}

function entryOf(target: Target): Entry {
  const none: Places = { hits: [], found: 0 };
  const { agentId } = target;
  return { target, status: "waiting", ...none, lines: 0, error: null, agentId, known: none, read: none };
}
