import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { answersWithin, closeOnTimeout, interceptQueries, queryTimeoutMs } from "../store/query-timeout.ts";
import { codeOf } from "../store/store-error.ts";

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** How long `close` waits for statements under way. */
const closeMs = 1_000;

/**
 * The pool that Graphile Worker uses. It does not await the statement that removes a finished job, so that an outage of
 * the database at that moment would end the process with an unhandled rejection. Here connecting waits until the
 * database is back, and a removal that fails is forgotten: the job is handed out again one day and finds nothing to do.
 */
export class WorkerPool extends pg.Pool {
  #closed = false;

  constructor(connection: pg.ClientConfig) {
    const { query_timeout: ms = queryTimeoutMs } = connection;
    super({ ...connection, ...answersWithin(ms), max: 6 });
    this.on("error", () => undefined);
    this.on("connect", (client) => {
      client.on("error", () => undefined);
      closeOnTimeout(client);
      forgiveRemovals(client);
    });
  }

  /** Connects once, without patience: whoever begins hears why nothing can be had. @throws what connecting throws */
  async first(): Promise<void> {
    (await super.connect()).release();
  }

  /** Waits a moment for the removals that nobody awaits, then closes all connections. */
  async close(): Promise<void> {
    const deadline = performance.now() + closeMs;
    while (this.waitingCount + this.totalCount > this.idleCount && performance.now() < deadline)
      await delay(5);
    this.#closed = true;
    await Promise.race([this.end(), delay(closeMs, undefined, { ref: false })]);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) return this.#patiently();
    // Its listener gives a connection back twice where that breaks while it stops.
    super.connect((error, client, done) => callback(error, client, client === undefined ? done : once(done)));
    return undefined;
  }

  async #patiently(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await super.connect();
      } catch {
        // Nobody listens any more: an error would only be unhandled.
        if (this.#closed) return new Promise(() => {});
        await delay(200);
      }
    }
  }
}

function once(done: (release?: unknown) => void): (release?: unknown) => void {
  let isDone = false;
  return (release) => {
    if (isDone) return;
    isDone = true;
    done(release);
  };
}

function forgiveRemovals(client: pg.PoolClient): void {
  interceptQueries(client, (answer, statement) =>
    isRemoval(statement)
      ? answer.catch((error: unknown) => {
          if (codeOf(error) === "42P01") throw error; // the schema is gone: that is no outage
          return { rows: [], rowCount: 0 };
        })
      : answer,
  );
}

function isRemoval(statement: unknown): boolean {
  if (typeof statement !== "object" || statement === null || !("name" in statement)) return false;
  return typeof statement.name === "string" && statement.name.startsWith("complete_job");
}
