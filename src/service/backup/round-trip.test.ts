import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sealAll } from "../../testing/audit.ts";
import { backUpInto, restoreFrom, testFolder } from "../../testing/backup.ts";
import { type EmptyDatabase, emptyDatabase, type FreshStore, freshStore } from "../../testing/database.ts";
import { brokenInvariants, ended, testEngine } from "../../testing/engine.ts";
import { readLog } from "../../testing/executions.ts";
import { nested, scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { startService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { unfinishedMark } from "../data-directory.ts";
import { readExecution } from "../engine/queries.ts";
import { directoryFileStore } from "../files/file-store.ts";
import { endPause, readPause } from "../store/pause.ts";
import type { Store } from "../store/store.ts";
import { checkTarget, prepareTarget } from "./target.ts";

const folder = testFolder();
afterAll(() => folder.remove());
const silent = pino({ level: "silent" });
const folderAt = (name: string) => ({ type: "folder", path: folder.in(name) }) as const;

/** Every table's rows as text, but those that a copy must not share. */
async function contentOf(store: Store): Promise<Record<string, string[]>> {
  const { rows: tables } = await store.pool.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname not in ('migrations', 'file_tokens', 'pause', 'generation')`,
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await store.pool.query(`select row::text as text from "${name}" row order by 1`);
    content[name] = rows.map(({ text }) => text);
  }
  return content;
}

describe("a backup of a running installation", () => {
  const runs = Array.from({ length: 50 }, (_, n) => `run-${n}`);
  let source: FreshStore;
  let target: EmptyDatabase;
  beforeAll(async () => {
    source = await freshStore();
    target = await emptyDatabase();
  });
  afterAll(async () => {
    await source.drop();
    await target.drop();
  });

  it("I-8: is of one moment: what ran goes on in the copy once it is let go on, each step once, with every file that is named", async () => {
    const files = directoryFileStore(folder.in("source"));
    const effects: string[] = [];
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    // Half of them stand in a step when the backup is made; the others go on meanwhile.
    const kind = scriptedKind({
      async before(id, key) {
        if (key === "2" && Number(id.split("-")[1]) % 2 === 0) await gate;
      },
      after: (id, key) => void effects.push(`${id} ${key}`),
    });
    const engine = testEngine(source.store, { scripted: kind }, { concurrency: 60 });
    await engine.work();
    for (const id of runs)
      await engine.start(
        source.store.db,
        startOf(id, [{ do: "effect" }, { do: "wait", ms: 5 }, { do: "effect" }, ...nested(1, 5)]),
      );
    await until("some have ended", async () => effects.filter((one) => one.endsWith(" 2")).length > 3);
    await files.write("file-of-run-1", "bytes of the first");
    await source.store.pool.query(
      "insert into run_files (id, execution_id, name, media_type, size) values ('file-of-run-1', 'run-1', 'a', 'text/plain', 18)",
    );
    await files.write("run-0_not_named_yet", "bytes that its next step names");
    await files.write("of-nobody-at-all", "left out");
    const done = await backUpInto(folder.in("busy.backup"), { url: source.url, files: folder.in("source") });
    expect(done).toMatchObject({ files: 2, missing: 0 });
    open();
    for (const id of runs) await ended(source.store, id);
    await engine.stop({ graceMs: 1_000 });

    await restoreFrom(folder.in("busy.backup"), { url: target.url, files: folder.in("copy") });
    const store = await target.open();
    const there = await store.pool.query(
      "select state, count(*)::integer as count from executions group by state",
    );
    const counts = new Map(there.rows.map(({ state, count }) => [state, count]));
    expect(counts.get("running")).toBeUndefined();
    expect(counts.get("queued")).toBeGreaterThan(0);
    expect(await readPause(store.db)).toMatchObject({ reason: expect.stringContaining("restored") });
    expect(await brokenInvariants(store)).toEqual([]);
    expect(await endPause(store.db)).toBe(true);
    const other = testEngine(store, { scripted: scriptedKind() }, { concurrency: 20 });
    await other.work();
    for (const id of runs) {
      expect(await ended(store, id)).toMatchObject({ state: "done" });
      const said = (lines: readonly string[]) => lines.filter((line) => !line.includes("already running"));
      // Where it waited for a place is another matter on each side.
      expect(said(await readLog(store.db, id))).toEqual(said(await readLog(source.store.db, id)));
      expect((await readExecution(store.db, id))?.result).toEqual(
        (await readExecution(source.store.db, id))?.result,
      );
    }
    await other.stop({ graceMs: 1_000 });
    expect(await brokenInvariants(store)).toEqual([]);
    const { rows } = await store.pool.query("select max(attempts)::integer as most from executions");
    expect(rows).toEqual([{ most: 0 }]);
    await store.close();
    const copied = directoryFileStore(folder.in("copy"));
    expect(await copied.size("file-of-run-1")).toBe(18);
    expect(await copied.size("run-0_not_named_yet")).toBe(30);
    expect(await copied.size("of-nobody-at-all")).toBeNull();
  });
});

/** Backs up an installation that has one file. */
async function backUpOneFile(file: string): Promise<void> {
  const source = await freshStore();
  await source.store.pool.query(`
    insert into executions (id, kind, root_id, depth, subject_id, input) values ('run', 'scripted', 'run', 0, 's', '{}');
    insert into run_files (id, execution_id, name, media_type, size) values ('file-of-a-run', 'run', 'a', 'text/plain', 5)`);
  await directoryFileStore(folder.in("one-file")).write("file-of-a-run", "bytes");
  await backUpInto(folder.in(file), { url: source.url, files: folder.in("one-file") });
  await source.drop();
}

describe("a restored installation", () => {
  it("I-9: has every row as it was, and its triggers, keys and sequences", async () => {
    const service = await startService({ work: false });
    const target = await emptyDatabase();
    const { store } = service.context;
    await store.pool.query(`
      insert into deletions (at) values (now());
      insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, queued_at, started_at)
        values ('odd', 'scripted', 'odd', 0, 's', 'user_ada', 'waiting',
                '{"a": "\\\\u2028 \\\\\\\\N \\\\t tab\\\\n", "b": 1e400, "c": 0.1, "a": 2}', '2026-01-01 00:00:00.123456+00', now())`);
    await store.pool.query(
      "insert into log_lines (execution_id, seq, text) values ('odd', 2, E'back\\\\slash \\t and \\\\N\\n\\u00e9\\U0001F600')",
    );
    await sealAll(service.context);
    await backUpInto(folder.in("rows.backup"), {
      url: service.databaseUrl,
      files: service.context.config.filesAt,
    });
    const before = await contentOf(store);
    expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(10);
    await restoreFrom(folder.in("rows.backup"), { url: target.url, files: folder.in("rows") });
    const copy = await target.open();
    const done = await copy.pool.query("delete from audit_pending returning entry ->> 'action' as action");
    expect(done.rows).toEqual([{ action: "backup.restore" }]);
    expect(await contentOf(copy)).toEqual(before);
    const shape = `
      select pg_get_constraintdef(oid) as definition from pg_constraint where connamespace = 'public'::regnamespace
      union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal and tgrelid::regclass::text !~ 'graphile'
      union all select indexdef from pg_indexes where schemaname = 'public' and indexname <> 'search_blocks_text'
      order by 1`;
    expect((await copy.pool.query(shape)).rows).toEqual((await store.pool.query(shape)).rows);
    const next = "insert into deletions (at) values (now() - interval '3 hours') returning id";
    expect((await copy.pool.query(next)).rows).toEqual((await store.pool.query(next)).rows);
    // A transaction of the other server may have the number of one of this.
    expect((await copy.pool.query("select changed_by from generation")).rows).toEqual([{ changed_by: null }]);
    await copy.close();
    await service.stop();
    await target.drop();
  });

  it("S-308: keeps its files where the connection is lost while the statistics of its tables are made", async () => {
    const target = await emptyDatabase();
    await backUpOneFile("cut.backup");
    const holder = new pg.Client({ connectionString: target.url });
    // Within its transaction the first would see what the others do as it was once.
    const watcher = new pg.Client({ connectionString: target.url });
    await Promise.all([holder.connect(), watcher.connect()]);
    // What reads a table for its statistics waits for that, and nothing else does.
    await holder.query("begin; lock table pg_description in share update exclusive mode");
    const restoring = restoreFrom(folder.in("cut.backup"), { url: target.url, files: folder.in("cut") });
    await until("it makes statistics", async () => {
      const { rows } = await watcher.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query = 'analyze' and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await restoring;
    const { rows } = await watcher.query("select id from run_files");
    expect(rows).toEqual([{ id: "file-of-a-run" }]);
    expect(await directoryFileStore(folder.in("cut")).size("file-of-a-run")).toBe(5);
    await holder.end();
    await watcher.end();
    await target.drop();
  });

  it("S-309: keeps its files where it is restored twice at once: one of the two is refused, and clears nothing", async () => {
    const target = await emptyDatabase();
    await backUpOneFile("twice.backup");
    const place = { url: target.url, files: folder.in("twice") };
    const both = [1, 2].map(() => restoreFrom(folder.in("twice.backup"), place));
    const ends = await Promise.allSettled(both);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await directoryFileStore(folder.in("twice")).size("file-of-a-run")).toBe(5);
    expect(ends.find(({ status }) => status === "rejected")).toMatchObject({ reason: { kind: "not_empty" } });
    await target.drop();
  });

  it.each([
    [
      "files",
      async (place: { files: string }) => directoryFileStore(place.files).write("file-of-a-run", "bytes"),
    ],
    [
      "tables",
      async (place: { url: string }) => {
        const client = new pg.Client({ connectionString: place.url });
        await client.connect();
        await client.query("create table of_another_restore (id text)");
        await client.end();
      },
    ],
  ])(
    "S-309: takes no database in whose place another restore has left %s since it was looked at, and clears nothing",
    async (what, leave) => {
      const target = await emptyDatabase();
      const place = { databaseUrl: target.url, dataDirectory: "unused", filesAt: folderAt(`late-${what}`) };
      await checkTarget(place, silent);
      await leave({ url: target.url, files: place.filesAt.path });
      const begun = prepareTarget(place, silent).then(({ undo }) => undo());
      await expect(begun).rejects.toMatchObject({ kind: "not_empty" });
      const kept = await directoryFileStore(place.filesAt.path).size("file-of-a-run");
      expect(kept).toBe(what === "files" ? 5 : null);
      await target.drop();
    },
  );

  it("S-309: keeps the files of a data directory that another restore has marked since it was looked at", async () => {
    const data = folder.in("begun");
    const files = directoryFileStore(join(data, "files"));
    await files.write("file-of-a-run", "bytes");
    writeFileSync(join(data, unfinishedMark), "");
    const place = { databaseUrl: null, dataDirectory: data, filesAt: folderAt("begun/files") };
    const begun = prepareTarget(place, silent).then(({ undo }) => undo());
    await expect(begun).rejects.toMatchObject({ kind: "not_empty" });
    expect(await files.size("file-of-a-run")).toBe(5);
  });
});
