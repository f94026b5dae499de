import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export const logServiceKey = "log-service-key-0123456789abcdef";
export const logServiceUser = "u_log_1";

interface Script {
  readonly version: number;
  readonly state: string;
  readonly length: number;
  readonly body: readonly Buffer[];
}

/** Lines in one piece of a body. */
const piece = 5_000;

/**
 * A service of the core's shape that has runs and nothing else: each with a log that a test gives it, up to millions of
 * lines. `If-None-Match` is honoured, and it notes when the last byte of an answer was handed over.
 */
export class LogService {
  /** Ends with `/api/v1`. */
  readonly url: string;
  /** For each run, when its last whole answer was handed over: ms since 1970. */
  readonly delivered = new Map<string, number>();
  readonly #server;
  readonly #runs: Map<string, Script>;

  private constructor(server: ReturnType<typeof createServer>, runs: Map<string, Script>) {
    this.#server = server;
    this.#runs = runs;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  }

  static async start(): Promise<LogService> {
    const runs = new Map<string, Script>();
    const handed: { note: (id: string) => void } = { note: () => {} };
    const server = createServer((request, response) => void answer(request, response, runs, handed.note));
    // Whoever asks ends a connection that rests: never does a request meet one that is being closed here.
    server.keepAliveTimeout = 0;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const service = new LogService(server, runs);
    handed.note = (id) => service.delivered.set(id, Date.now());
    return service;
  }

  /** The run as it is from now on. */
  set(id: string, log: readonly string[], state = "RUNNING"): void {
    const head = {
      run_id: id,
      user_id: logServiceUser,
      state,
      created_ts: "2026-11-20T08:15:00.000Z",
      finished_ts: state === "RUNNING" ? null : "2026-11-20T08:35:00.000Z",
      outputs: null,
    };
    const body = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"log":[`)];
    for (let at = 0; at < log.length; at += piece) {
      const lines = JSON.stringify(log.slice(at, at + piece)).slice(1, -1);
      body.push(Buffer.from(at === 0 ? lines : `,${lines}`));
    }
    body.push(Buffer.from("]}"));
    const version = (this.#runs.get(id)?.version ?? 0) + 1;
    this.#runs.set(id, { version, state, length: log.length, body });
  }

  /** Answers as `get_pl_run` does, to whoever has a request at hand. */
  answer(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.url = `/api/v1/get_pl_run?run_id=${id}`;
    return answer(request, response, this.#runs, (one) => this.delivered.set(one, Date.now()));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  runs: ReadonlyMap<string, Script>,
  note: (id: string) => void,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://log-service");
  const json = (status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (request.headers.authorization !== `Bearer ${logServiceKey}`)
    return json(403, { error: "Unauthorized" });
  const path = url.pathname.replace(/^\/api\/v1/, "");
  if (path === "/agents") return json(200, { agents: [], next_cursor: null });
  const id = url.searchParams.get("run_id") ?? "";
  const run = path === "/get_pl_run" ? runs.get(id) : undefined;
  if (!run) return json(404, { error: "not found" });
  const etag = `"${run.version}"`;
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304, { etag });
    response.end();
    return;
  }
  const size = run.body.reduce((sum, one) => sum + one.length, 0);
  response.writeHead(200, { "content-type": "application/json", "content-length": size, etag });
  response.once("finish", () => note(id));
  // A page that is closed meanwhile is no failure of the service.
  await pipeline(Readable.from(run.body), response).catch(() => {});
}

const nodes = ["Fetch scans", "OCR pages", "Extract fields", "Match against orders"] as const;

/** A line as a flow writes it: time, node, words; every 400th a warning, every 1,000th an error. */
export function sampleLine(at: number): string {
  const time = new Date(Date.UTC(2026, 10, 20, 8, 15) + at * 7).toISOString();
  const node = nodes[at % nodes.length] ?? "";
  const what =
    at % 1_000 === 999 ? "failed: order not found" : at % 400 === 399 ? "retry 1 of 3 for" : "read";
  return `${time} [${node}] ${what} page ${at} rtm_20261120_b_${at}.tif in 1.94 s, confidence 0.981`;
}

export const sampleLog = (length: number, from = 0): string[] =>
  Array.from({ length }, (_, at) => sampleLine(from + at));
