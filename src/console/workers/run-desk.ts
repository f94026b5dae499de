import { getRun, run as runSchema } from "../../contract/runs.ts";
import { ConsoleError } from "../api/errors.ts";
import { type Opened, open, parseJson } from "../api/exchange.ts";
import { receive } from "../api/receive.ts";
import { BodyScanner, type ScannedLines } from "./body-scanner.ts";
import { lineText } from "./line-text.ts";
import type { LogPatch } from "./patched-log.ts";
import type { LogChange } from "./run-log.ts";
import type { FromWorker, LogQuery, RunFields, ToWorker } from "./run-messages.ts";

interface Held {
  /** Of the read that brought it. */
  readonly id: number;
  readonly etag: string | null;
  readonly lines: ScannedLines;
  readonly size: number;
}

/** Where the desk sends its answers. */
export type Post = (message: FromWorker, transfer: Transferable[]) => void;

const yieldEvery = 20_000;
const mostHits = 200_000;

/** The work of the run reader, without the worker around it: fetch, parse, check, compare, search. */
export class RunDesk {
  readonly #fetch: typeof fetch;
  readonly #post: Post;
  readonly #now: () => number;
  readonly #held = new Map<string, Held>();
  readonly #running = new Map<number, AbortController>();

  constructor(post: Post, fetcher: typeof fetch, now: () => number = Date.now) {
    this.#post = post;
    this.#fetch = fetcher;
    this.#now = now;
  }

  handle(message: ToWorker): void {
    if (message.type === "abort") this.#running.get(message.id)?.abort();
    else if (message.type === "forget") this.#held.delete(message.runId);
    else void this.#run(message);
  }

  async #run(message: Extract<ToWorker, { id: number; runId: string }>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(message.id, controller);
    try {
      if (message.type === "read") await this.#read(message, controller.signal);
      else await this.#search(message.id, message.runId, message.query, controller.signal);
    } catch (error) {
      const failure = error instanceof ConsoleError ? error.failure : null;
      this.#post({ type: "failed", id: message.id, failure, message: String(error) }, []);
    } finally {
      this.#running.delete(message.id);
    }
  }

  async #read(message: Extract<ToWorker, { type: "read" }>, signal: AbortSignal): Promise<void> {
    const { id, runId, request, have, timeoutMs } = message;
    const last = this.#held.get(runId);
    const held = last?.id === have ? last : undefined;
    const headers = held?.etag ? { ...request.headers, "if-none-match": held.etag } : request.headers;
    const options = { fetch: this.#fetch, now: this.#now, signal, timeoutMs };
    const opened = await open(getRun.name, { ...request, headers }, options);
    try {
      if (opened.response.status === 304 && held) {
        this.#post({ type: "unchanged", id, envelope: opened.envelope }, []);
        return;
      }
      const scanner = await scan(opened, held?.size);
      const { data, damage, lines } = understand(scanner, opened);
      const patch = compare(held?.lines, lines);
      this.#held.set(runId, { id, etag: opened.envelope.etag, lines, size: scanner.size });
      this.#post({ type: "changed", id, envelope: opened.envelope, data, damage, patch }, [
        patch.bytes.buffer,
        patch.starts.buffer,
        patch.ends.buffer,
      ]);
    } finally {
      opened.stop();
    }
  }

  async #search(id: number, runId: string, query: LogQuery, signal: AbortSignal): Promise<void> {
    const { bytes, starts, ends } = this.#held.get(runId)?.lines ?? noLines;
    const matches = matcher(query);
    let hits: number[] = [];
    let found = 0;
    for (let i = 0; i < starts.length && found < mostHits; i += 1) {
      if (i % yieldEvery === yieldEvery - 1) {
        this.#hits(id, hits, false);
        hits = [];
        // Lets an abort be heard.
        await new Promise((resolve) => setTimeout(resolve));
        signal.throwIfAborted();
      }
      if (matches(lineText(bytes.subarray(starts[i], ends[i])))) {
        hits.push(i);
        found += 1;
      }
    }
    this.#hits(id, hits, true);
  }

  #hits(id: number, hits: readonly number[], done: boolean): void {
    const lines = Uint32Array.from(hits);
    if (lines.length > 0 || done) this.#post({ type: "hits", id, lines, done }, [lines.buffer]);
  }
}

const noLines: ScannedLines = {
  bytes: new Uint8Array(0),
  starts: new Uint32Array(0),
  ends: new Uint32Array(0),
};

async function scan(opened: Opened, expected: number | undefined): Promise<BodyScanner> {
  const scanner = new BodyScanner(expected);
  const reader = opened.response.body?.getReader();
  try {
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) return scanner;
      scanner.push(part.value);
    }
  } catch (error) {
    throw opened.failed(error);
  }
}

function understand(scanner: BodyScanner, opened: Opened) {
  const json = parseJson(getRun.name, scanner.rest(), opened);
  const { data, damage } = receive(runSchema, json);
  if (data === undefined) {
    const { requestId } = opened.envelope;
    throw new ConsoleError({ kind: "contract", path: "", requestId }, getRun.name);
  }
  const { log, ...rest } = data;
  // Written in a way that the scanner does not know (an escaped key): rare, so simply read.
  const lines = Array.isArray(log) && log.length > 0 ? scannedFrom(log) : scanner.finish();
  return { data: rest as RunFields, damage, lines };
}

function scannedFrom(log: readonly unknown[]): ScannedLines {
  const scanner = new BodyScanner();
  scanner.push(new TextEncoder().encode(JSON.stringify({ log })));
  return scanner.finish();
}

/** What changed from one log to the next, as lines to keep and lines to add. */
function compare(before: ScannedLines | undefined, after: ScannedLines): LogPatch {
  const keep = before ? sharedLines(before, after) : 0;
  const from = keep < after.starts.length ? (after.starts[keep] ?? 0) : 0;
  const to = keep < after.starts.length ? (after.ends.at(-1) ?? 0) : 0;
  const change: LogChange =
    before && keep < before.starts.length ? "replaced" : keep < after.starts.length ? "appended" : "none";
  return {
    keep,
    bytes: after.bytes.slice(from, to),
    starts: moved(after.starts.subarray(keep), from),
    ends: moved(after.ends.subarray(keep), from),
    change,
  };
}

function moved(positions: Uint32Array, by: number): Uint32Array<ArrayBuffer> {
  const list = new Uint32Array(positions.length);
  for (let i = 0; i < list.length; i += 1) list[i] = (positions[i] ?? 0) - by;
  return list;
}

/** How many lines at the beginning are the same. Both come from one writer, so equal lines have equal bytes. */
function sharedLines(a: ScannedLines, b: ScannedLines): number {
  const most = Math.min(a.starts.length, b.starts.length);
  if (most === 0) return 0;
  const aFrom = a.starts[0] ?? 0;
  const bFrom = b.starts[0] ?? 0;
  const length = Math.min((a.ends[most - 1] ?? 0) - aFrom, (b.ends[most - 1] ?? 0) - bFrom);
  let same = 0;
  while (same < length && a.bytes[aFrom + same] === b.bytes[bFrom + same]) same += 1;
  if (same === length && (a.ends[most - 1] ?? 0) - aFrom === (b.ends[most - 1] ?? 0) - bFrom) return most;
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((a.ends[middle] ?? 0) - aFrom <= same) low = middle + 1;
    else high = middle;
  }
  return low;
}

function matcher({ text, regex, caseSensitive }: LogQuery): (line: string) => boolean {
  if (regex) {
    const pattern = new RegExp(text, caseSensitive ? "" : "i");
    return (line) => pattern.test(line);
  }
  if (caseSensitive) return (line) => line.includes(text);
  const wanted = text.toLowerCase();
  return (line) => line.toLowerCase().includes(wanted);
}
