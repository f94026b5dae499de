import { getRun } from "../../../../contract/run.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { open } from "../../../api/exchange.ts";
import { plainText } from "../../../lib/ansi.ts";
import {
  HeldLog,
  type LineBlock,
  LogSearch,
  type RunFields,
  readLine,
  readRunBody,
} from "../../runs/index.ts";
import { excerptOf, findInText, type Matcher, makeMatcher } from "./excerpt.ts";
import type { Field, FindOrder, FromSearch, HeldRun, Hit, ToSearch } from "./search-messages.ts";

export interface SearchHostOptions {
  readonly fetch: typeof fetch;
  /** Bytes that may be kept of what was read; 96 MB by default. */
  readonly room?: number;
  readonly now?: () => number;
}

/** Work between two looks at what was asked meanwhile, in ms. */
const slice = 20;
const ample = 96_000_000;
/** Beginning and end of a line in memory. */
const perLine = 8;

/** The work of the search's worker, without the worker around it: reads runs, keeps what was read, looks through it. */
export function makeSearchHost(
  post: (message: FromSearch) => void,
  { fetch: fetcher, room = ample, now = Date.now }: SearchHostOptions,
): (message: ToSearch) => void {
  const shelf = new Shelf(room);
  const running = new Map<number, AbortController>();

  async function read(message: Extract<ToSearch, { type: "read" }>, signal: AbortSignal): Promise<void> {
    const { id, key, request, timeoutMs } = message;
    const before = shelf.get(key);
    const headers = before?.etag ? { ...request.headers, "if-none-match": before.etag } : request.headers;
    const opened = await open(
      getRun.name,
      { ...request, headers },
      { fetch: fetcher, now, signal, timeoutMs },
    );
    const { envelope } = opened;
    try {
      if (opened.response.status === 304 && before?.run) {
        post({ type: "read", id, envelope, run: before.run });
        return;
      }
      const lines = new Lines();
      const { data, size } = await readRunBody(opened, lines);
      const fields = outputsOf(data);
      const run = { state: data.state ?? null, lines: lines.log.length };
      shelf.put(key, {
        log: lines.log,
        fields,
        etag: envelope.etag,
        run,
        size: size + perLine * lines.log.length + sizeOf(fields),
      });
      post({ type: "read", id, envelope, run });
    } finally {
      opened.stop();
    }
  }

  async function find(id: number, order: FindOrder, signal: AbortSignal): Promise<void> {
    const { key, query, kinds, most } = order;
    const matches = makeMatcher(query);
    const kept = key === null ? undefined : shelf.get(key);
    if (key !== null && !kept) {
      post({ type: "gone", id });
      return;
    }
    let isEnough = stopwatch();
    let told = 0;
    let found: Hit[] = [];
    let hits = 0;
    const add = (hit: () => Hit) => {
      hits += 1;
      if (told + found.length < most) found.push(hit());
    };
    const rest = async () => {
      post({ type: "hits", id, hits: found });
      told += found.length;
      found = [];
      await new Promise<void>((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
      isEnough = stopwatch();
    };

    let texts = 0;
    for (const field of [...order.fields, ...(kept?.fields ?? [])]) {
      if (!kinds.includes(field.kind)) continue;
      texts += 1;
      const hit = findInText(field.text, matches);
      const { kind, at, label } = field;
      if (hit) add(() => ({ kind, at, label, ...hit }));
      if (isEnough()) await rest();
    }
    const log = kinds.includes("log") ? kept?.log : null;
    if (log) {
      const search = new LogSearch(log, { ...query, caseSensitive: false });
      for (let isDone = false; !isDone; ) {
        const step = search.step(isEnough);
        for (const line of step.hits) add(() => lineHit(log, line, matches));
        isDone = step.done;
        if (!isDone) await rest();
      }
    }
    if (found.length > 0) post({ type: "hits", id, hits: found });
    post({ type: "found", id, looked: { lines: log?.length ?? 0, texts, hits } });
  }

  async function run(id: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      await work(controller.signal);
    } catch (error) {
      const failure = error instanceof ConsoleError ? error.failure : null;
      post({ type: "failed", id, failure, message: String(error) });
    } finally {
      running.delete(id);
    }
  }

  return (message) => {
    if (message.type === "abort") running.get(message.id)?.abort();
    else if (message.type === "read") void run(message.id, (signal) => read(message, signal));
    else if (message.type === "find")
      void run(message.id, (signal) => find(message.id, message.order, signal));
    else {
      const before = message.isFirst ? [] : (shelf.get(message.key)?.fields ?? []);
      const fields = [...before, ...message.fields];
      shelf.put(message.key, { log: null, fields, etag: null, run: null, size: sizeOf(fields) });
    }
  };
}

/** Takes the lines of a log while they arrive. */
class Lines {
  log = new HeldLog();

  begin(): void {
    this.log = new HeldLog();
  }

  block(block: LineBlock): void {
    this.log.add(block);
  }
}

function outputsOf({ outputs }: RunFields): readonly Field[] {
  return Object.entries(outputs ?? {}).map(([name, value]) => ({
    kind: "outputs",
    at: name,
    label: name,
    text: typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? ""),
  }));
}

function lineHit(log: HeldLog, line: number, matches: Matcher): Hit {
  const { node, text } = readLine(log.text(line));
  const shown = plainText(text);
  const excerpt = excerptOf(shown, matches(shown) ?? []);
  return { kind: "log", at: String(line + 1), label: node ?? "", lines: 1, ...excerpt };
}

function stopwatch(): () => boolean {
  const from = performance.now();
  return () => performance.now() - from > slice;
}

/** What is kept of one run or conversation for searching. */
interface Kept {
  readonly log: HeldLog | null;
  readonly fields: readonly Field[];
  readonly etag: string | null;
  /** Null for what is no run. */
  readonly run: HeldRun | null;
  /** Bytes in memory, roughly. */
  readonly size: number;
}

/** Keeps what was used last, within a measure: what is put on it stays, others are let go of when there is no room. */
class Shelf {
  readonly #room: number;
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  /** @param room bytes */
  constructor(room: number) {
    this.#room = room;
  }

  /** What is kept under a key; it counts as used. */
  get(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
    }
    return kept;
  }

  put(key: string, kept: Kept): void {
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#size += kept.size;
    for (const old of [...this.#kept.keys()]) {
      if (this.#size <= this.#room || old === key) return;
      this.#drop(old);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#size -= kept.size;
  }
}

/** Bytes of texts, roughly: two for each letter, and some for each object. */
const sizeOf = (fields: readonly Field[]): number =>
  fields.reduce((sum, { text }) => sum + 2 * text.length + 200, 0);
