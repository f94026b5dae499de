import { existsSync } from "node:fs";
import { join } from "node:path";
import { runMigrations } from "graphile-worker";
import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { unfinishedMark } from "../data-directory.ts";
import { createLifetimes } from "./connection-lifetime.ts";
import { startEmbedded } from "./embedded/embedded.ts";
import { createFairStores, type StoreUser } from "./fair-stores.ts";
import { migrate } from "./migrate.ts";
import { preparing } from "./prepared.ts";
import {
  answersWithin,
  closeOnTimeout,
  queryTimeoutMessage,
  queryTimeoutMs as usualQueryMs,
} from "./query-timeout.ts";
import type { Database } from "./schema.ts";
import { StoreError, sentenceOf } from "./store-error.ts";
import { workerLogger } from "./worker-logger.ts";

/** A transaction on our tables. */
export type Tx = Transaction<Database>;

/**
 * A query that many requests wait for. A database that does not answer it in time counts as away, lest one connection that
 * hangs holds up everybody for ever.
 */
export interface PromptQuery extends pg.QueryConfig {
  readonly name: string;
}

/** The database, with its schema in place. */
export interface Store {
  readonly db: Kysely<Database>;
  readonly pool: pg.Pool;
  /**
   * @param ms for the answer; with a new connection three seconds more
   * @throws what `isDatabaseUnavailable` knows when no answer comes in that time
   */
  prompt<R extends pg.QueryResultRow>(query: PromptQuery, ms?: number): Promise<R[]>;
  /** Any other query as it is. @returns its rows */
  query<R extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<R[]>;
  /** The same for a request: `db` and `query` get their connections in turn with all who ask. */
  of(user: StoreUser): Store;
  /** For connections outside the pool, such as one that listens. */
  readonly connection: pg.ClientConfig;
  /** Closes the connections; stops the embedded database if nobody else uses it. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** A PostgreSQL (14 or newer) to use instead of the embedded one. */
  readonly databaseUrl?: string | undefined;
  /** Where the embedded database lives: below `<dataDirectory>/postgres`. */
  readonly dataDirectory: string;
  readonly log: Logger;
  /** Connections of the pool. */
  readonly connections?: number;
  /** How long anybody waits for the answer to a query, in milliseconds; for tests, which cannot wait so long. */
  readonly queryTimeoutMs?: number;
}

/**
 * Opens the database that `databaseUrl` names, else the embedded one, and brings its schema up to date.
 * @throws StoreError with one line that says what to do
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.databaseUrl !== undefined) {
    return connectStore({ connectionString: options.databaseUrl }, options);
  }
  if (existsSync(join(options.dataDirectory, unfinishedMark))) {
    throw new StoreError(
      "unusable_place",
      `What was restored into ${options.dataDirectory} is not whole: remove the folder, and restore once more.`,
    );
  }
  const embedded = await startEmbedded(options);
  try {
    const store = await connectStore(embedded.connection, options);
    return {
      ...store,
      async close() {
        await store.close();
        await embedded.release();
      },
    };
  } catch (error) {
    await embedded.release();
    throw error;
  }
}

/** A connection that nobody has used for that long is closed. */
const restingMs = 60_000;
const promptMs = 5_000;
/** The wait for a connection comes to that; pg does not count it. */
const connectingMs = 3_000;

/** Opens the database at that address and brings its schema up to date. */
export async function connectStore(
  connection: pg.ClientConfig,
  {
    log,
    connections = 20,
    queryTimeoutMs: queryMs = usualQueryMs,
  }: Omit<StoreOptions, "databaseUrl" | "dataDirectory">,
): Promise<Store> {
  const config = {
    ...connection,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: "wheelhouse",
    // A process that is stopped or cut off in the middle of a transaction must not keep its rows locked from all others, and
    // no longer than a lease: then others go on with its work.
    idle_in_transaction_session_timeout: 8_000,
  };
  await prepare(config, log);
  // A database that says nothing must not keep whoever asks it, nor the connection, for ever.
  const pool = new pg.Pool({
    ...config,
    ...answersWithin(queryMs),
    max: connections,
    idleTimeoutMillis: restingMs,
  });
  // A connection that breaks, idle or not, must not end the process: whoever uses it gets the error from its query.
  const heard = (error: Error) => log.warn({ reason: sentenceOf(error) }, "a database connection was lost");
  pool.on("error", heard);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    closeOnTimeout(client);
  });
  const lent = preparing(pool, createLifetimes());
  const store: Omit<Store, "of"> = {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: lent }) }),
    pool,
    query: async <R extends pg.QueryResultRow>(query: pg.QueryConfig) => (await pool.query<R>(query)).rows,
    async prompt<R extends pg.QueryResultRow>(query: PromptQuery, ms = promptMs) {
      // pg takes it with a query, its types know it of connections alone.
      const prompt: PromptQuery & pg.ClientConfig = { ...query, query_timeout: ms };
      return (await inTime(pool.query<R>(prompt), ms + connectingMs)).rows;
    },
    connection: { ...config, query_timeout: queryMs },
    close: () => pool.end(),
  };
  return { ...store, of: createFairStores(store, lent, connections) };
}

/** Brings the schema up to date, however long that takes. */
async function prepare(config: pg.ClientConfig, log: Logger): Promise<void> {
  const pool = new pg.Pool({ ...config, max: 2 });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  try {
    await checkServer(pool);
    // Functions of ours name functions of theirs.
    await runMigrations({ pgPool: pool, logger: workerLogger(log) });
    const applied = await migrate(pool);
    if (applied.length > 0)
      log.info(
        { applied: applied.length, from: applied[0], to: applied.at(-1) },
        "the schema was brought up to date",
      );
  } finally {
    await pool.end();
  }
}

/** @throws the error that pg has for a query that takes too long */
async function inTime<T>(query: Promise<T>, ms: number): Promise<T> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error(queryTimeoutMessage)), ms);
  });
  try {
    return await Promise.race([query, late]);
  } finally {
    clearTimeout(limit);
  }
}

async function checkServer(pool: pg.Pool): Promise<void> {
  // The embedded one has no address.
  const which =
    pool.options.connectionString === undefined ? "The embedded database" : "DATABASE_URL: the database";
  // The driver throws, rather than rejects, where it cannot read the address or a file that it names.
  const asked = async () => await pool.query("show server_version_num");
  const { rows } = await asked().catch((error: unknown) => {
    throw new StoreError("unreachable", `${which} does not answer: ${sentenceOf(error)}`, error);
  });
  const version = Number(rows[0]?.server_version_num);
  if (version < 140_000) {
    throw new StoreError(
      "wrong_version",
      `${which} is ${Math.floor(version / 10_000)}: PostgreSQL 14 or newer is needed.`,
    );
  }
}
