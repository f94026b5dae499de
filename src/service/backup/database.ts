import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { startEmbedded } from "../store/embedded/embedded.ts";
import { closeClient } from "../store/query-timeout.ts";
import { sentenceOf } from "../store/store-error.ts";
import { BackupError } from "./backup-error.ts";

/** Where a database lives: an address, or a data directory with the embedded one. */
export type DatabasePlace = Pick<Config, "databaseUrl" | "dataDirectory">;

/** A connection to a database as it is: nothing of its schema is changed by connecting. */
export interface OpenedDatabase {
  readonly client: pg.Client;
  readonly connection: pg.ClientConfig;
  close(): Promise<void>;
}

/** Whether a data directory has an embedded database. */
export const hasDatabase = (dataDirectory: string) => existsSync(join(dataDirectory, "postgres"));

/** Removes the embedded database of a data directory, which nobody uses any more. */
export async function removeDatabase(dataDirectory: string): Promise<void> {
  // Where root keeps it elsewhere, a file says where.
  const home = await readFile(join(dataDirectory, "postgres", "location"), "utf8").catch(() => null);
  if (home !== null) await rm(home.trim(), { recursive: true, force: true });
  await rm(join(dataDirectory, "postgres"), {
    recursive: true,
    force: true,
    maxRetries: 10,
    retryDelay: 100,
  });
}

/**
 * Connects for as long as a backup or a restore takes. The embedded server is started where none runs, and made where
 * there is none.
 * @throws StoreError; BackupError `unsuitable` where an address does not answer
 */
export async function openDatabase(
  { databaseUrl, dataDirectory }: DatabasePlace,
  log: Logger,
): Promise<OpenedDatabase> {
  const embedded = databaseUrl === null ? await startEmbedded({ dataDirectory, log }) : null;
  const connection = embedded?.connection ?? { connectionString: databaseUrl ?? "" };
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: "wheelhouse backup",
  });
  // Whoever uses it gets the error from its query.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(settings);
  } catch (error) {
    await client.end().catch(() => undefined);
    await embedded?.release();
    throw new BackupError("unsuitable", `The database does not answer: ${sentenceOf(error)}`, error);
  }
  return {
    client,
    connection,
    async close() {
      await closeClient(client);
      await embedded?.release();
    },
  };
}

/**
 * The same text for the same value, whatever the server, the database and the account say; and as long as it takes. Not
 * every server has each of the limits.
 */
const settings = `
set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
set extra_float_digits = 1; set bytea_output = 'hex'; set xmlbinary = 'base64';
select set_config(name, '0', false) from pg_settings where name in ('statement_timeout', 'lock_timeout',
  'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`;

/** A name as SQL. */
export const quoted = (name: string) => pg.escapeIdentifier(name);
