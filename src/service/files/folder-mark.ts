import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { randomText } from "../context.ts";
import { createRecurring } from "../recurring.ts";
import { isLockHeld } from "../store/lock.ts";
import { lockKeys } from "../store/lock-keys.ts";
import type { Store } from "../store/store.ts";
import type { FileStore } from "./file-store.ts";
import { lookForFiles } from "./lost-files.ts";

/** Milliseconds from one look at the mark to the next. */
const lookEveryMs = 60_000;
/** A token is replaced when it is older, in seconds: a little less, so that one process does it at each of its looks. */
const tokenSeconds = sql.lit("50 s");
/** So long nothing is removed after a start, in milliseconds: whoever else has the folder renews the mark meanwhile. */
const usualSettleMs = 3 * lookEveryMs;
/** Tokens that are kept beside those of the last day. */
const keptTokens = sql.lit(100);

/**
 * Says whose the files in a folder are. The folder's mark names the database, by what no copy made inside a server or with
 * its files has too, and the newest of its tokens, which is replaced every minute: a copy that shares even the name (of a
 * whole server, elsewhere) knows the tokens of before and none of after.
 */
export interface FolderMark {
  /** Looks, claims a folder without a mark, and renews the mark of one that is ours. Says once in the log when it is not. */
  look(): Promise<void>;
  /** Whether what nothing names may be removed from the folder. */
  isOurs(): Promise<boolean>;
  /** Resolves when it has been looked at for long enough, or at the signal. */
  settled(signal: AbortSignal): Promise<void>;
  /** Takes the folder over, whoever had it. */
  adopt(): Promise<void>;
  /** Looks now and then, until `stop`. */
  start(): void;
  stop(): Promise<void>;
}

export interface FolderMarkParts {
  readonly store: Pick<Store, "db" | "pool">;
  readonly files: Pick<FileStore, "readMark" | "writeMark" | "size">;
  readonly log: Pick<Logger, "error" | "warn">;
  /** Of `databaseName`. */
  readonly name: string;
  readonly settleMs?: number | undefined;
}

const notOurs =
  "the folder of files belongs to another database, of which this one is a copy or an older state: nothing in it is " +
  "removed. Give this service a folder of its own with --files; or, where the other database is gone for good, run: " +
  "wheelhouse files adopt";

const lostHere = (lost: number, looked: number) =>
  `the place of files is new to this database, and ${lost} of ${looked} files that were looked for are not there: look ` +
  "whether --files is that of before, and its disk there";

/** @param settleMs after so many milliseconds a folder has been looked at for long enough (`settled`) */
export function createFolderMark({
  store: { db, pool },
  files,
  log,
  name,
  settleMs = usualSettleMs,
}: FolderMarkParts): FolderMark {
  const settlesAt = performance.now() + settleMs;
  /** The last mark that was found to be ours. */
  let known: string | null = null;
  let told = false;

  async function whose(): Promise<"ours" | "nobody's" | "another's"> {
    const mark = await files.readMark();
    if (mark === null) return "nobody's";
    if (mark === known) return "ours";
    const [marked, token] = mark.split(" ", 2);
    if (marked !== name || token === undefined) return "another's";
    const row = await db
      .selectFrom("file_tokens")
      .select("token")
      .where("token", "=", token)
      .executeTakeFirst();
    if (row === undefined) return "another's";
    known = mark;
    return "ours";
  }

  /** The token is in the database before it is in the folder, so that a crash in between harms nothing. */
  async function write(when: "old" | "always"): Promise<void> {
    const token = randomText(22);
    const { rows } = await sql`
      insert into file_tokens (token)
      select ${token} where ${when === "always"}
          or not exists (select from file_tokens where made_at between now() - interval ${tokenSeconds} and now())
      returning token
    `.execute(db);
    if (rows.length === 0) return;
    await files.writeMark(`${name} ${token}`);
    await sql`
      delete from file_tokens where made_at < now() - interval '1 day'
         and token not in (select token from file_tokens order by made_at desc limit ${keptTokens})
    `.execute(db);
  }

  async function look(): Promise<void> {
    const found = await whose();
    if (found === "nobody's") {
      const { looked, lost } = await lookForFiles(pool, files);
      if (lost > 0) log.error({ looked, lost }, lostHere(lost, looked));
      await write("always");
    } else if (found === "ours" && performance.now() >= settlesAt) await write("old");
    if (found === "another's" && !told) log.error(notOurs);
    told = found === "another's";
  }

  const looking = createRecurring(look, lookEveryMs, (err) =>
    log.warn({ err }, "the mark of the folder of files could not be looked at"),
  );
  return {
    look,
    isOurs: async () => performance.now() >= settlesAt && (await whose()) === "ours",
    async settled(signal) {
      const left = Math.max(settlesAt - performance.now(), 0);
      await delay(left, undefined, { signal, ref: false }).catch(() => undefined);
    },
    adopt: () => write("always"),
    start: () => looking.start(),
    stop: () => looking.stop(),
  };
}

/**
 * What tells a database from copies of it: the server's own number and the database's in it, which `create database` and a
 * dump do not share; of the embedded one also its folder, which a copy of the files does not share.
 */
export async function databaseName({ db }: Pick<Store, "db">, config: Config): Promise<string> {
  const { rows } = await sql<{ oid: string }>`
    select oid::text from pg_database where datname = current_database()`.execute(db);
  // Some servers let nobody ask for it.
  const server = await sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`
    .execute(db)
    .then(
      (found) => found.rows[0]?.id ?? "",
      () => "",
    );
  const folder = config.databaseUrl === null ? await folderOf(db) : "";
  return [server, rows[0]?.oid ?? "", folder].join(":");
}

/** The number of the folder that the server on this machine has its data in; empty where nobody says. */
async function folderOf(db: Store["db"]): Promise<string> {
  try {
    const { rows } = await sql<{ path: string }>`select current_setting('data_directory') as path`.execute(
      db,
    );
    return String((await stat(rows[0]?.path ?? "")).ino);
  } catch {
    return "";
  }
}

/**
 * The same files, of which nothing is removed where the folder is not ours, or while a backup of the database is made:
 * that needs the bytes of its moment. Reading and writing go on. What is not removed now, a later sweep finds.
 */
export function markedFiles(
  files: FileStore,
  mark: Pick<FolderMark, "isOurs">,
  { db }: Pick<Store, "db">,
): FileStore {
  const mayRemove = async () => (await mark.isOurs()) && !(await isLockHeld(db, lockKeys.backup));
  return {
    ...files,
    async remove(id) {
      if (await mayRemove()) await files.remove(id);
    },
    removeCutOff: async (then) => ((await mayRemove()) ? await files.removeCutOff(then) : 0),
    mayRemove,
  };
}
