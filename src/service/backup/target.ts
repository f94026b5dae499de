import { type Dirent, existsSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import type { Logger } from "pino";
import type { Config, FilesPlace } from "../config.ts";
import { makeDataDirectory, unfinishedMark } from "../data-directory.ts";
import { openPlace, placeText, preparePlace } from "../files/open-files.ts";
import { lockKeys } from "../store/lock-keys.ts";
import { codeOf, sentenceOf } from "../store/store-error.ts";
import { makeWorkerSchema } from "../store/worker-schema.ts";
import { BackupError } from "./backup-error.ts";
import { type OpenedDatabase, openDatabase, removeDatabase } from "./database.ts";

/** Where a backup is restored to. */
export type Target = Pick<Config, "databaseUrl" | "dataDirectory" | "filesAt">;

/** What may lie in a data directory beforehand: the secret, and the log, which this very command may write. */
const mayLie = new Set(["secret", "wheelhouse.log", "lost+found"]);

/**
 * Looks whether there is room for a restored installation, and nothing else. Writes nothing.
 * @throws BackupError `not_empty`, `unsuitable`
 */
export async function checkTarget(target: Target, log: Logger): Promise<void> {
  const { databaseUrl, dataDirectory, filesAt } = target;
  if (databaseUrl === null) {
    if (existsSync(join(dataDirectory, unfinishedMark))) throw unfinished(dataDirectory);
    refuseContent(dataDirectory, await namesIn(dataDirectory), mayLie);
  }
  refuseContent(placeText(filesAt), await contentsOf(filesAt), new Set());
  if (databaseUrl === null) return;
  const database = await openDatabase(target, log);
  try {
    await checkDatabase(database.client);
  } finally {
    await database.close();
  }
}

function refuseContent(folder: string, names: readonly string[], mayBeThere: ReadonlySet<string>): void {
  const found = names.filter((name) => !mayBeThere.has(name));
  if (found.length === 0) return;
  const some = found.slice(0, 3).join(", ") + (found.length > 3 ? ", …" : "");
  throw new BackupError(
    "not_empty",
    `${folder} is not empty (${some}): name ${folder.startsWith("s3:") ? "an empty place" : "a folder that is empty or not there"}.`,
  );
}

async function contentsOf(place: FilesPlace): Promise<readonly string[]> {
  try {
    return await openPlace(place).contents();
  } catch (error) {
    throw new BackupError("unsuitable", `${placeText(place)} cannot be used: ${sentenceOf(error)}`, error);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  let entries: readonly Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw new BackupError("unsuitable", `${folder} cannot be used: ${sentenceOf(error)}.`, error);
  }
  return entries.map(({ name }) => name).sort();
}

async function checkDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; may: boolean; standby: boolean }>(
    `select current_setting('server_version_num')::integer as version, pg_is_in_recovery() as standby,
            current_setting('server_encoding') as encoding,
            coalesce(has_schema_privilege(current_schema(), 'create'), false)
              and has_database_privilege(current_database(), 'create') as may`,
  );
  const { version = 0, encoding = "", may = false, standby = false } = rows[0] ?? {};
  const unsuitable = (what: string) => new BackupError("unsuitable", `The database of DATABASE_URL ${what}.`);
  if (version < 140_000) throw unsuitable("is older than PostgreSQL 14: use a newer one");
  if (encoding !== "UTF8") throw unsuitable(`has the encoding ${encoding}: make one with UTF8`);
  if (standby) throw unsuitable("is a standby, which takes no writes: name the primary");
  if (!may)
    throw unsuitable("lets this account make neither schemas nor tables: give it the right to create");
  const { rows: found } = await client.query<{ name: string }>(
    `select nspname || '.' || relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname !~ '^pg_' and nspname not in ('information_schema', 'graphile_worker') and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
      order by 1 limit 4`,
  );
  const names = found.slice(0, 3).map(({ name }) => name);
  if (names.length > 0) {
    const some = names.join(", ") + (found.length > 3 ? ", …" : "");
    throw new BackupError(
      "not_empty",
      `The database of DATABASE_URL is not empty (${some}): name one that is.`,
    );
  }
}

const unfinished = (dataDirectory: string) =>
  new BackupError(
    "not_empty",
    `An earlier restore into ${dataDirectory} did not get to its end: remove the folder, and restore once more.`,
  );

/** Of two that were begun at once the second leaves it to the first. @throws BackupError `not_empty` */
async function takeFolder(dataDirectory: string, mark: string): Promise<void> {
  try {
    await writeFile(mark, "", { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? unfinished(dataDirectory) : error;
  }
}

/**
 * Holds the database for as long as its connection is open, lest two that were begun at once clear each other's files.
 * @throws BackupError `not_empty` where another one has it, or had it since it was looked at
 */
async function takeDatabase(client: pg.Client, filesAt: FilesPlace): Promise<void> {
  const { rows } = await client.query<{ mine: boolean }>(
    `select pg_try_advisory_lock(${lockKeys.restore}) as mine`,
  );
  if (rows[0]?.mine !== true)
    throw new BackupError(
      "not_empty",
      "Something is being restored into the database of DATABASE_URL: wait for it.",
    );
  refuseContent(placeText(filesAt), await contentsOf(filesAt), new Set());
  await checkDatabase(client);
}

/** Whether a database has been restored to, once nobody is at it any more. @throws where it cannot be asked */
async function hasTables(target: Target, log: Logger): Promise<boolean> {
  const { client, close } = await openDatabase(target, log);
  try {
    // Of a connection that was lost the server may hear later.
    await client.query("set lock_timeout = '30s'");
    await client.query(`select pg_advisory_lock(${lockKeys.restore})`);
    const { rows } = await client.query<{ is: boolean }>("select to_regclass('pause') is not null as is");
    return rows[0]?.is === true;
  } finally {
    await close();
  }
}

/** A place that is being restored to. */
export interface PreparedTarget {
  readonly database: OpenedDatabase;
  /** Of a load that is in doubt: whether the database has all of it. Null where it cannot be asked. */
  hasAll(): Promise<boolean | null>;
  /** All is there. @param secret where the data directory is to have it */
  finish(secret: string | null): Promise<void>;
  /** Removes what was written; the database has undone its part. */
  undo(): Promise<void>;
}

/** Makes the place. Until `finish` a data directory says that it is not whole. */
export async function prepareTarget(target: Target, log: Logger): Promise<PreparedTarget> {
  const { databaseUrl, dataDirectory, filesAt } = target;
  const files = openPlace(filesAt);
  const mark = join(dataDirectory, unfinishedMark);
  const isEmbedded = databaseUrl === null;
  const hadSecret = existsSync(join(dataDirectory, "secret"));
  const clear = async () => {
    // It was empty; itself it may be somebody's mounted disk.
    await files.clear().catch(() => undefined);
    if (!isEmbedded) return;
    await removeDatabase(dataDirectory);
    await rm(mark, { force: true });
  };
  let database: OpenedDatabase | null = null;
  let isTaken = false;
  try {
    if (isEmbedded) {
      makeDataDirectory(dataDirectory);
      await takeFolder(dataDirectory, mark);
      isTaken = true;
    }
    database = await openDatabase(target, log);
    if (!isEmbedded) await takeDatabase(database.client, filesAt);
    isTaken = true;
    await preparePlace(filesAt, "--files", async () => {});
    await makeWorkerSchema(database.connection, log);
  } catch (error) {
    await database?.close();
    // What lies there otherwise is somebody else's.
    if (isTaken) await clear();
    throw error;
  }
  const opened = database;
  return {
    database: opened,
    async hasAll() {
      // Without its database nothing of a data directory is of any use.
      if (isEmbedded) return false;
      await opened.close();
      return await hasTables(target, log).catch(() => null);
    },
    async finish(secret) {
      if (secret !== null && !hadSecret) {
        makeDataDirectory(dataDirectory);
        await writeFile(join(dataDirectory, "secret"), `${secret}\n`, { mode: 0o600, flag: "wx" });
      }
      await opened.close();
      if (isEmbedded) await rm(mark, { force: true });
    },
    async undo() {
      await opened.close();
      await clear();
    },
  };
}
