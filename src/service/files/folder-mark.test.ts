import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { directoryFileStore } from "./file-store.ts";
import { createFolderMark, databaseName, markedFiles } from "./folder-mark.ts";
import { sweepFiles } from "./sweep-files.ts";

let directory = "";
const databases: FreshStore[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wheelhouse-mark-"));
});
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

/** One process's view of the folder, on a database that shares with all others of the run what a copy shares. */
async function open({
  database,
  name,
  settleMs = 0,
}: {
  database?: FreshStore;
  name?: string;
  settleMs?: number;
} = {}) {
  const own = database ?? (await freshStore());
  if (database === undefined) databases.push(own);
  const said: string[] = [];
  const log = pino({}, { write: (line) => said.push(line) });
  const folder = directoryFileStore(directory);
  const mark = createFolderMark({
    ...{ store: own.store, files: folder, log, settleMs },
    name: name ?? (await own.store.pool.query("select current_database() as name")).rows[0].name,
  });
  return { database: own, mark, files: markedFiles(folder, mark, own.store), said };
}

describe("the mark of a folder of files", () => {
  it("S-73: makes it the first database's own; a copy of that reads and writes, removes nothing, and says once what to do", async () => {
    const original = await open();
    await original.mark.look();
    const copy = await open();
    await copy.mark.look();
    await copy.mark.look();
    expect(copy.said).toHaveLength(1);
    expect(copy.said[0]).toContain("wheelhouse files adopt");
    await original.files.write("of-the-original", "kept");
    await copy.files.write("of-the-copy", "also kept");
    await copy.files.remove("of-the-original");
    expect(await copy.files.size("of-the-original")).toBe(4);
    expect(await copy.files.mayRemove()).toBe(false);
    await original.files.remove("of-the-copy");
    expect(await original.files.size("of-the-copy")).toBeNull();
    expect(original.said).toEqual([]);
  });

  it("S-414: says in the log of a place that is new to its database how many files are not there", async () => {
    const original = await open();
    await original.mark.look();
    expect(original.said).toEqual([]);
    const { pool } = original.database.store;
    await pool.query(`
      insert into executions (id, kind, root_id, depth, subject_id, input) values ('run', 'scripted', 'run', 0, 's', '{}');
      insert into run_files (id, execution_id, name, media_type, size) values ('file-number-1', 'run', 'a', 'text/plain', 5)`);
    rmSync(join(directory, "mark"));
    const elsewhere = await open({ database: original.database });
    await elsewhere.mark.look();
    await elsewhere.mark.look();
    expect(elsewhere.said).toHaveLength(1);
    expect(elsewhere.said[0]).toContain("1 of 1");
    expect(elsewhere.said[0]).toContain("--files");
  });

  it("S-73: tells apart even two that share their name, as soon as one of them has renewed it", async () => {
    const original = await open({ name: "twins" });
    await original.mark.look();
    // All that the original knew when it was copied.
    const copy = await open({ name: "twins" });
    const { rows } = await original.database.store.pool.query("select token from file_tokens");
    for (const { token } of rows)
      await copy.database.store.pool.query("insert into file_tokens (token) values ($1)", [token]);
    await original.database.store.pool.query(
      "update file_tokens set made_at = made_at - interval '1 minute'",
    );
    await original.mark.look();
    expect([await original.mark.isOurs(), await copy.mark.isOurs()]).toEqual([true, false]);
  });

  it("S-73: is not trusted right after a start, as a twin of the original's may still have to see it renewed", async () => {
    const original = await open();
    await original.mark.look();
    await original.files.write("young-file", "kept");
    const started = await open({ database: original.database, settleMs: 600_000 });
    await started.mark.look();
    await started.files.remove("young-file");
    expect(await started.files.mayRemove()).toBe(false);
    expect(await started.files.size("young-file")).toBe(4);
    await original.files.remove("young-file");
    expect(await original.files.size("young-file")).toBeNull();
  });

  it("is that of all processes with the same database, however they take turns, and over restarts", async () => {
    const first = await open();
    await first.mark.look();
    const second = await open({ database: first.database });
    for (let round = 0; round < 3; round++) {
      for (const one of [first, second]) {
        await first.database.store.pool.query("update file_tokens set made_at = made_at - interval '2 days'");
        await one.mark.look();
        expect([await first.mark.isOurs(), await second.mark.isOurs()]).toEqual([true, true]);
      }
    }
    expect([...first.said, ...second.said]).toEqual([]);
    expect(readdirSync(directory)).toEqual(["mark"]);
  });

  it("S-73: of an older state of the database is another's, until it is adopted", async () => {
    const before = await open();
    await before.mark.look();
    // Restored from before the mark was written.
    await before.database.store.pool.query("delete from file_tokens");
    const restored = await open({ database: before.database });
    await restored.mark.look();
    expect(await restored.mark.isOurs()).toBe(false);
    await restored.mark.adopt();
    expect(await restored.mark.isOurs()).toBe(true);
  });
});

describe("a service on a copy of another's database, with the same folder", () => {
  const services: TestService[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });
  const start = async (logTo: (line: string) => void = () => {}) => {
    const service = await startService({ filesDirectory: directory, logTo });
    services.push(service);
    return service;
  };

  it("S-73: never removes what it does not know; the original still removes what nothing names", async () => {
    const original = await start();
    const talk = await original.call(original.keys.ada, "POST", "/start_agent", {
      ...{ gummie_id: "agent_scribe", user_id: "user_ada" },
      message: '/write_file {"name": "kept.md", "content": "of the original"}',
    });
    const { interaction_id: session } = await talk.json();
    const listed = async () => {
      const answer = await original.call(original.keys.ada, "GET", `/artifacts?session_id=${session}`);
      return (await answer.json()).artifacts;
    };
    await until("the artifact is there", async () => (await listed()).length === 1);
    const lines: string[] = [];
    const copy = await start((line) => lines.push(line));
    expect(lines.join("")).toContain("wheelhouse files adopt");
    const { rows } = await original.context.store.pool.query("select file_id from artifact_versions");
    const [{ file_id: kept }] = rows;
    await original.context.files.write("forgotten-by-all", "x");
    const longAgo = new Date(Date.now() - 3 * 86_400_000);
    for (const id of [kept, "forgotten-by-all"])
      utimesSync(join(directory, id.slice(-2), id), longAgo, longAgo);
    expect(await sweepFiles(copy.context)).toBeNull();
    expect(await copy.context.files.size(kept)).not.toBeNull();
    expect(await sweepFiles(original.context)).toBe(1);
    expect(await original.context.files.size(kept)).not.toBeNull();
    const [artifact] = await listed();
    expect((await fetch(artifact.url)).status).toBe(200);
  });

  it("has another name than the original, and the same name each time", async () => {
    const one = await start();
    const other = await start();
    const names = [one, one, other].map(({ context }) => databaseName(context.store, context.config));
    const [first, again, second] = await Promise.all(names);
    expect(first).toMatch(/^\d+:\d+:\d+$/);
    expect(again).toBe(first);
    expect(second).not.toBe(first);
  });
});
