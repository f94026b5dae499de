import { LRUCache } from "lru-cache";
import { getRun } from "../../../../contract/run.ts";
import { type Envelope, open } from "../../../api/exchange.ts";
import type { PlainRequest } from "../../../api/request.ts";
import { plainText } from "../../../lib/ansi.ts";
import type { Work } from "../../../lib/workers/serve.ts";
import {
  HeldLog,
  type LineBlock,
  LogSearch,
  type RunFields,
  readLine,
  readRunBody,
} from "../../runs/index.ts";
import { excerptOf, findInText, type Matcher, makeMatcher } from "./excerpt.ts";
import type { Field, FindOrder, HeldRun, Hit, LookedThrough } from "./hit.ts";

interface SearchOptions {
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

/** A run to read. The request carries the credential, in memory only. */
interface ReadInput {
  readonly key: string;
  readonly request: PlainRequest;
  readonly timeoutMs: number;
}

/** Texts that the page has read itself; `isFirst`: those before under this key do not count. */
interface HoldInput {
  readonly key: string;
  readonly fields: readonly Field[];
  readonly isFirst: boolean;
}

/** The work of the search's worker, without the worker around it: reads runs, keeps what was read, looks through it. */
export function searchMethods({ fetch: fetcher, room = ample, now = Date.now }: SearchOptions) {
  /** What was used last stays; what is bigger than the room has it for itself. */
  const shelf = new LRUCache<string, Kept>({
    maxSize: room,
    sizeCalculation: ({ size }) => Math.max(1, Math.min(size, room)),
  });

  return {
    async read(
      { key, request, timeoutMs }: ReadInput,
      { signal }: Work,
    ): Promise<{ readonly envelope: Envelope; readonly run: HeldRun }> {
      const before = shelf.get(key);
      const headers = before?.etag ? { ...request.headers, "if-none-match": before.etag } : request.headers;
      const options = { fetch: fetcher, now, signal, timeoutMs };
      const opened = await open(getRun.name, { ...request, headers }, options);
      const { envelope } = opened;
      try {
        if (opened.response.status === 304 && before?.run) return { envelope, run: before.run };
        const lines = new Lines();
        const { data, size } = await readRunBody(opened, lines);
        const { log } = lines;
        const fields = outputsOf(data);
        const run = { state: data.state ?? null, lines: log.length };
        const inMemory = size + perLine * log.length + sizeOf(fields);
        shelf.set(key, { log, fields, etag: envelope.etag, run, size: inMemory });
        return { envelope, run };
      } finally {
        opened.stop();
      }
    },

    hold({ key, fields, isFirst }: HoldInput): void {
      const all = isFirst ? fields : [...(shelf.get(key)?.fields ?? []), ...fields];
      shelf.set(key, { log: null, fields: all, etag: null, run: null, size: sizeOf(all) });
    },

    /**
     * Tells of hits every few ms while it looks, also of none: whoever waits then knows that the search is alive.
     * @returns null where nothing is held under the key any more
     */
    async find(order: FindOrder, { signal, tell }: Work<readonly Hit[]>): Promise<LookedThrough | null> {
      const { key, query, kinds, most } = order;
      const matches = makeMatcher(query);
      const kept = key === null ? undefined : shelf.get(key);
      if (key !== null && !kept) return null;
      let isEnough = stopwatch();
      let told = 0;
      let found: Hit[] = [];
      let hits = 0;
      const add = (hit: () => Hit) => {
        hits += 1;
        if (told + found.length < most) found.push(hit());
      };
      const rest = async () => {
        tell(found);
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
      if (found.length > 0) tell(found);
      return { lines: log?.length ?? 0, texts, hits };
    },
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

/** Bytes of texts, roughly: two for each letter, and some for each object. */
const sizeOf = (fields: readonly Field[]): number =>
  fields.reduce((sum, { text }) => sum + 2 * text.length + 200, 0);
