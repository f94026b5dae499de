import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { RetryPolicy } from "../service/agents/retry.ts";
import { allHandlers } from "../service/areas/handlers.ts";
import { createLog } from "../service/cli/log.ts";
import type { Config, FilesPlace, TraceSettings, Upstream } from "../service/config.ts";
import { type Clock, type Context, randomIds } from "../service/context.ts";
import { createKey } from "../service/credentials/keys.ts";
import { createSigner } from "../service/credentials/signer.ts";
import type { GuessLimits } from "../service/guessing/guesses.ts";
import { type App, createApp, type Phase } from "../service/http/app.ts";
import { listen } from "../service/http/server.ts";
import type { ReaderLimits } from "../service/http/slow-readers.ts";
import type { Metrics } from "../service/metrics/metrics.ts";
import { openService } from "../service/service.ts";
import { connectStore } from "../service/store/store.ts";
import { freshStore } from "./database.ts";

export interface TestServiceOptions {
  /** The folder to load; default the sample workspace of the package. */
  readonly workspace?: string;
  /** Load only its people, teams and keys. */
  readonly empty?: boolean;
  readonly concurrency?: number;
  /** Begin to claim executions at once; default true. */
  readonly work?: boolean;
  /** Its database waits to be let go on, as one that was restored does. */
  readonly paused?: boolean;
  /** Default the database's, as ever. */
  readonly clock?: Clock;
  /** How turns wait for a model that fails. */
  readonly modelRetry?: RetryPolicy;
  /** How long a conversation must be quiet before a debounced evaluation begins, in milliseconds. */
  readonly evaluationQuietMs?: number;
  /** How long an evaluation may ask its model, in milliseconds. */
  readonly evaluationLimitMs?: number;
  /** How many wrong keys are only wrong; default more than any test sends that is not about them. */
  readonly guessLimits?: GuessLimits;
  /** Variables that the workspace and the models read; nothing of the real environment gets in. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly upstreams?: readonly Upstream[];
  readonly consoleDirectory?: string;
  /** Hosts that the service answers for beside those of this machine. */
  /** Where people reach it; default the address that it listens on. */
  readonly publicUrl?: string;
  readonly allowedHosts?: readonly string[];
  /** Where the bytes of files lie; default a folder of its own. */
  readonly filesDirectory?: string;
  /** The same where it is no folder, or not only one. */
  readonly filesAt?: FilesPlace;
  readonly filesAlsoAt?: FilesPlace;
  /** Where traces go; default nowhere. */
  readonly traces?: TraceSettings;
  /** Counts what happens. */
  readonly metrics?: Metrics;
  /** When clients that do not read are cut off. */
  readonly readers?: ReaderLimits;
  /** Puts something between the service and its database, such as a fault: takes its address, gives the one to use. */
  readonly through?: (databaseUrl: string) => Promise<string>;
  /** Where log lines go; default nowhere. */
  readonly logTo?: (line: string) => void;
}

/** The sample's keys as they are in tests, and those of nobody in particular. */
export const testKeys = {
  ada: "test-key-of-ada-0123456789",
  grace: "test-key-of-grace-0123456789",
  harbor: "test-key-of-harbor-0123456789",
} as const;

const everyone = { atOnce: 1_000_000, everySeconds: 1 };
const patient: GuessLimits = { network: everyone, site: everyone, account: everyone };

type Fetches = (
  key: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers?: HeadersInit,
) => Promise<Response>;

/** A whole service of its own in this process: a fresh database, an open port, the engine at work. */
export interface TestService {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly keys: typeof testKeys;
  readonly context: Context;
  /** The same service without a socket, for MSW. */
  readonly app: App;
  /** The database's address, for another process: DATABASE_URL. */
  readonly databaseUrl: string;
  /** Fetches a path below `/api/v1` with this key; an object as `body` is sent as JSON. */
  call: Fetches;
  /** The same for a whole path: an endpoint's `base` and `path`. */
  send: Fetches;
  /** A new key of this owner. */
  makeKey(owner: { kind: "person" | "team"; id: string }): Promise<string>;
  /** Begins to claim executions, and to do what is done now and then. */
  work(): Promise<void>;
  /** What the process would be: `starting` and `draining` show how probes answer. */
  setPhase(phase: Phase): void;
  stop(): Promise<void>;
}

/** Starts a service for tests; needs the `service` project of vitest for its database. Stop it when done. */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const fresh = await freshStore();
  const data = mkdtempSync(join(tmpdir(), "wheelhouse-service-"));
  const config = testConfig(data, options);
  const signer = createSigner("a secret that only tests have, 32+");
  const log = createLog({ write: (line) => options.logTo?.(line) });
  let phase: Phase = "starting";
  let context: Context | null = null;
  const app = createApp({
    config,
    log,
    ids: randomIds,
    handlers: allHandlers,
    instance: "test",
    phase: () => phase,
    context: () => context,
    databaseAnswers: () => service.databaseAnswers(),
    filesAnswer: () => service.filesAnswer(),
    paused: () => service.paused() !== null,
    meters: options.metrics?.meters,
    checkAnswers: true,
  });
  const store = options.through
    ? await connectStore({ connectionString: await options.through(fresh.url) }, { log })
    : fresh.store;
  const listening = await listen(app, "127.0.0.1", 0, options.readers);
  const url = `http://127.0.0.1:${listening.port}`;
  const { modelRetry, evaluationQuietMs, evaluationLimitMs } = options;
  const parts = {
    config,
    log,
    signer,
    clock: options.clock,
    ids: randomIds,
    publicUrl: options.publicUrl ?? url,
    store,
    modelRetry,
    evaluationQuietMs,
    evaluationLimitMs,
    metrics: options.metrics,
    guessLimits: options.guessLimits ?? patient,
    filesSettleMs: 0,
    // As in `testEngine`.
    quickMs: Number.POSITIVE_INFINITY,
  };
  if (options.paused === true)
    await store.db.insertInto("pause").values({ reason: "a test says so" }).execute();
  const service = await openService(parts);
  context = service.context;
  if (options.work !== false) await service.work();
  phase = "ready";
  const send: Fetches = (key, method, path, body, headers) => {
    const all = new Headers(headers);
    if (key !== null) all.set("authorization", `Bearer ${key}`);
    if (body !== undefined && !all.has("content-type")) all.set("content-type", "application/json");
    const sent = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body);
    return fetch(url + path, { method, headers: all, body: sent, redirect: "manual" });
  };
  return {
    url,
    keys: testKeys,
    context: service.context,
    app,
    databaseUrl: fresh.url,
    call: (key, method, path, ...rest) => send(key, method, `/api/v1${path}`, ...rest),
    send,
    async makeKey(owner) {
      return (await createKey(fresh.store.db, randomIds, owner, "made for a test")).secret;
    },
    work: () => service.work(),
    setPhase: (next) => {
      phase = next;
    },
    async stop() {
      phase = "draining";
      await service.stopWork(0);
      await listening.close(0);
      await service.close();
      if (store !== fresh.store) await store.close();
      await fresh.drop();
      // What was under way may still write a file.
      rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

function testConfig(data: string, options: TestServiceOptions): Config {
  const root = resolve(import.meta.dirname, "../..");
  return {
    port: 0,
    host: "127.0.0.1",
    dataDirectory: data,
    workspaceDirectory: options.workspace ?? join(root, "workspace"),
    empty: options.empty ?? false,
    upstreams: options.upstreams ?? [],
    publicUrl: null,
    allowedHosts: options.allowedHosts ?? [],
    filesAt: options.filesAt ?? { type: "folder", path: options.filesDirectory ?? join(data, "files") },
    filesAlsoAt: options.filesAlsoAt ?? null,
    concurrency: options.concurrency ?? 10,
    connections: null,
    drainSeconds: 0,
    metrics: null,
    traces: options.traces ?? null,
    databaseUrl: null,
    secret: null,
    consoleDirectory: options.consoleDirectory ?? join(root, "dist", "console"),
    environment: {
      WHEELHOUSE_ADA_KEY: testKeys.ada,
      WHEELHOUSE_GRACE_KEY: testKeys.grace,
      WHEELHOUSE_HARBOR_KEY: testKeys.harbor,
      ...options.environment,
    },
    version: "0.0.0-test",
  };
}
