import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { builtFile } from "../../../testing/built.ts";
import { until } from "../../../testing/until.ts";
import { connectStore } from "../store.ts";
import { usableCopy } from "./binaries.ts";
import { type Embedded, startEmbedded } from "./embedded.ts";

const log = pino({ level: "silent" });
const asRoot = process.getuid?.() === 0;
const nobody = 65_534;
const folders: string[] = [];
const running: Embedded[] = [];
const processes: ChildProcess[] = [];
/** Making a database takes a while: tests share one unless they are about its making. */
let shared: string;
let data: string;

beforeAll(async () => {
  shared = await folder();
});
beforeEach(() => {
  data = shared;
});
afterEach(async () => {
  for (const child of processes.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  for (const one of running.splice(0)) await one.release();
  // Whoever was killed left its server: adopt it and stop it, once the server knows that they are gone.
  await until("no server is left", async () => {
    if ((await serverPid()) === null) return true;
    await (await startEmbedded({ dataDirectory: data, log })).release();
    return (await serverPid()) === null;
  });
});
afterAll(async () => {
  // A database may still write its last.
  for (const one of folders) await rm(one, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "wh-embedded-"));
  await chmod(made, 0o755);
  folders.push(made);
  return made;
}

async function start(): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDirectory: data, log });
  running.push(embedded);
  return embedded;
}

async function query(embedded: Embedded, sql: string): Promise<unknown[]> {
  const client = new pg.Client(embedded.connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that uses the database. @returns it and its first line */
async function another(
  options: { uid?: number; gid?: number } = {},
): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [builtFile("testing/store-process")], {
    env: { ...process.env, DATA: data },
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });
  processes.push(child);
  if (child.stdout === null) throw new Error("no output");
  const [chunk] = await once(child.stdout, "data");
  return { child, said: String(chunk).trim() };
}

async function serverPid(): Promise<number | null> {
  const text = await readFile(join(data, "postgres/data/postmaster.pid"), "utf8").catch(() => null);
  return text === null ? null : Number(text.split("\n")[0]);
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a first start makes a database, a second one finds what was written, and leaving stops the server", async () => {
  data = await folder();
  const first = await start();
  await query(first, "create table kept as select 'here' as value");
  const pid = await serverPid();
  await first.release();
  expect(await serverPid()).toBeNull();
  // Its pid file goes a moment before the process does.
  await until("the server's process is gone", () => pid !== null && !isAlive(pid));
  const second = await start();
  expect(await query(second, "select value from kept")).toEqual([{ value: "here" }]);
  expect(await query(second, "show fsync")).toEqual([{ fsync: "on" }]);
  expect(await query(second, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
});

test("S-06: several processes share one server, and whoever leaves last stops it", async () => {
  const [one, two] = [await start(), await start()];
  const pid = await serverPid();
  await one.release();
  expect(await query(two, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(await serverPid()).toBe(pid);
  await two.release();
  expect(await serverPid()).toBeNull();
});

test("S-06: one that leaves while another comes never leaves it without a server", async () => {
  let last = await start();
  for (let round = 0; round < 10; round++) {
    const [next] = await Promise.all([start(), last.release()]);
    expect(await query(next, "select 1 as one")).toEqual([{ one: 1 }]);
    last = next;
  }
});

test("S-07: two first starts at once make one database", async () => {
  data = await folder();
  const [one, two, three] = await Promise.all([another(), another(), start()]);
  expect([one.said, two.said]).toEqual(["ready", "ready"]);
  const [row] = await query(three, "select count(*)::int as users from pg_locks where locktype = 'advisory'");
  expect(row).toEqual({ users: 3 });
  expect((await readdir(join(data, "postgres"))).filter((name) => name.includes("init"))).toEqual([]);
});

test("S-07: the server of a killed process is adopted, with all its data", async () => {
  const { child } = await another();
  const pid = await serverPid();
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  const next = await start();
  expect(await serverPid()).toBe(pid);
  expect(await query(next, "select count(*)::int as count from executions")).toEqual([{ count: 0 }]);
});

test("S-07: killed in the middle of the first start, the next one starts clean", async () => {
  data = await folder();
  const child = spawn(process.execPath, [builtFile("testing/store-process")], {
    env: { ...process.env, DATA: data },
    stdio: "ignore",
  });
  processes.push(child);
  await until("initdb has begun", async () => {
    const names = await readdir(join(data, "postgres")).catch(() => []);
    return names.some((name) => name.startsWith("data.init"));
  });
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  const embedded = await start();
  expect(await query(embedded, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("S-07: a pid file that names somebody else's process is no obstacle", async () => {
  const first = await start();
  const path = join(data, "postgres/data/postmaster.pid");
  const text = await readFile(path, "utf8");
  await first.release();
  // As after a power failure: the number belongs to another living process now, of the same user.
  const other = spawn(
    "sleep",
    ["60"],
    asRoot ? { uid: postgresUid(await readFile("/etc/passwd", "utf8")) } : {},
  );
  processes.push(other);
  await writeFile(path, text.replace(/^\d+/, String(other.pid)));
  const second = await start();
  expect(await query(second, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(other.exitCode).toBeNull();
});

function postgresUid(passwd: string): number {
  const line = passwd.split("\n").find((one) => one.startsWith("postgres:"));
  return line === undefined ? nobody : Number(line.split(":")[2]);
}

test("S-07: a server that dies is started again while we use it", async () => {
  const embedded = await start();
  const pid = await serverPid();
  if (pid === null) throw new Error("no server");
  process.kill(pid, "SIGKILL");
  await until("the database is back", () =>
    query(embedded, "select 1").then(
      () => true,
      () => false,
    ),
  );
  expect(await serverPid()).not.toBe(pid);
});

test("S-07: a folder that holds anything else is refused and left as it is", async () => {
  data = await folder();
  await mkdir(join(data, "postgres/data"), { recursive: true });
  await writeFile(join(data, "postgres/data/diary.txt"), "mine");
  await expect(start()).rejects.toMatchObject({ kind: "unusable_place", message: /is not empty/ });
  expect(await readdir(join(data, "postgres/data"))).toEqual(["diary.txt"]);
});

test("S-07: data of another major version are refused with what to do", async () => {
  await (await start()).release();
  await writeFile(join(data, "postgres/data/PG_VERSION"), "17\n");
  await expect(start()).rejects.toMatchObject({ kind: "wrong_version", message: /17.*18.*pg_dump/ });
  await writeFile(join(data, "postgres/data/PG_VERSION"), "18\n");
});

test("a data directory that is no directory is refused with its name", async () => {
  data = await folder();
  await writeFile(join(data, "file"), "");
  const started = startEmbedded({ dataDirectory: join(data, "file"), log });
  await expect(started).rejects.toMatchObject({
    kind: "unusable_place",
    message: expect.stringContaining(data),
  });
});

test("a path too long for a socket still works", async () => {
  data = await folder();
  const deep = join(data, ..."abcdefghijkl".split("").map((letter) => letter.repeat(12)));
  const embedded = await startEmbedded({ dataDirectory: deep, log });
  running.push(embedded);
  expect(await query(embedded, "select 1 as one")).toEqual([{ one: 1 }]);
  folders.push(String(embedded.connection.host));
});

test.skipIf(!asRoot)(
  "as root, below a folder that only root may enter, the database lives elsewhere and is found again",
  async () => {
    data = await folder();
    await chmod(data, 0o700);
    const systemFolder = await folder();
    const dataDirectory = join(data, "inner");
    const open = async () => {
      const embedded = await startEmbedded({ dataDirectory, systemFolder, log });
      running.push(embedded);
      return embedded;
    };
    const first = await open();
    await query(first, "create table kept as select 1 as value");
    const home = (await readFile(join(dataDirectory, "postgres/location"), "utf8")).trim();
    expect(home.startsWith(systemFolder)).toBe(true);
    await first.release();
    expect(await query(await open(), "select value from kept")).toEqual([{ value: 1 }]);
    await running.at(-1)?.release();
    // A data directory that was deleted and made again begins anew, and the old data are still there.
    await rm(dataDirectory, { recursive: true });
    expect(await query(await open(), "select to_regclass('kept') as kept")).toEqual([{ kept: null }]);
    expect(await readdir(home)).toContain("data");
  },
);

test.skipIf(!asRoot)("an ordinary user starts it as well, and nobody else's files are needed", async () => {
  data = await folder();
  await chown(data, nobody, nobody);
  const { child, said } = await another({ uid: nobody, gid: nobody });
  expect(said).toBe("ready");
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
  expect(await serverPid()).toBeNull();
});

test.skipIf(!asRoot)("an ordinary user who may not write there gets one line", async () => {
  data = await folder();
  await chmod(data, 0o755);
  const { said } = await another({ uid: nobody, gid: nobody });
  expect(said).toMatch(/^unusable_place: The data directory .* cannot be used \(EACCES\)/);
});

test("library links that an install without scripts did not make are made, in a copy where they cannot be", async () => {
  const native = join(data, "native");
  for (const path of ["bin", "lib/postgresql", "share/postgresql"])
    await mkdir(join(native, path), { recursive: true });
  await writeFile(join(native, "bin/postgres"), "program", { mode: 0o755 });
  await writeFile(join(native, "share/postgresql/postgres.bki"), "");
  await writeFile(join(native, "lib/libx.so.1.2"), "library");
  const links = [{ source: "native/lib/libx.so.1.2", target: "native/lib/libx.so.1" }];
  await writeFile(join(native, "pg-symlinks.json"), JSON.stringify(links));
  const copies = await folder();
  if (asRoot) {
    const account = { name: "nobody", uid: nobody, gid: nobody };
    await chmod(native, 0o700);
    const copy = await usableCopy(native, "18.9", account, copies);
    expect(copy).toBe(join(copies, "postgresql-18.9/native"));
    expect(await readFile(join(copy, "lib/libx.so.1"), "utf8")).toBe("library");
    expect(await usableCopy(native, "18.9", account, copies)).toBe(copy);
    await chmod(native, 0o755);
  }
  expect(await usableCopy(native, "18.9", null, copies)).toBe(native);
  expect(await readlink(join(native, "lib/libx.so.1"))).toBe("libx.so.1.2");
});

/** A database of its own on the shared server. */
async function connectionTo(embedded: Embedded, database: string): Promise<pg.ClientConfig> {
  await query(embedded, `create database ${database}`);
  return { ...embedded.connection, database };
}

test("S-58: a database with migrations that this release does not know is refused", async () => {
  const embedded = await start();
  const connection = await connectionTo(embedded, "newer");
  const store = await connectStore(connection, { log });
  await store.pool.query("insert into migrations (name) values ('9999_future')");
  await store.close();
  await expect(connectStore(connection, { log })).rejects.toMatchObject({
    kind: "wrong_version",
    message: /newer release.*9999_future/,
  });
});

test("two that migrate the same new database at once both find it ready", async () => {
  const embedded = await start();
  const connection = await connectionTo(embedded, "twice");
  const stores = await Promise.all([1, 2, 3].map(() => connectStore(connection, { log })));
  for (const store of stores) {
    expect(await store.db.selectFrom("agents").selectAll().execute()).toEqual([]);
    await store.close();
  }
});
