import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, readlink, realpath, rm, stat, truncate } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { codeOf, StoreError, sentenceOf } from "../store-error.ts";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { superuser } from "./cluster.ts";
import type { ClusterPlace } from "./place.ts";

const startTimeoutMs = 30_000;
/** After kill -9 of a server its last processes may hold its memory for a moment: this many starts, 250 ms apart. */
const starts = 12;
const maxLogBytes = 10 * 1024 * 1024;

/** How to connect to the database of a place. */
export function connectionTo(place: ClusterPlace): pg.ClientConfig {
  return { host: place.socket, port: 5432, user: superuser, database: "postgres", password: "" };
}

/**
 * Adopts the server that runs on this place, or starts one that outlives us. Call it with the start lock held.
 * @returns a connection to it; the caller ends it
 * @throws StoreError `start_failed` with the last line of the server's log
 */
export async function reachServer(
  place: ClusterPlace,
  binaries: Binaries,
  account: Account | null,
  options: readonly string[],
): Promise<pg.Client> {
  const deadline = performance.now() + startTimeoutMs;
  let tries = 0;
  let child: Server | null = null;
  for (;;) {
    const running = await readPid(place);
    if (running !== null && !(await isServerOf(running.pid, place))) {
      await removeLeftovers(place);
      continue;
    }
    if (running?.ready) {
      const client = await connect(place);
      if (client !== null) return client;
    } else if (running === null && (child === null || child.ended())) {
      if (tries++ === starts) throw await failure(place);
      if (child !== null) await delay(250);
      child = await startServer(place, binaries, account, options);
    }
    if (performance.now() > deadline) throw await failure(place);
    await delay(5);
  }
}

/** Asks the server to stop at once without losing anything, and waits until it has. */
export async function stopServer(place: ClusterPlace): Promise<void> {
  const running = await readPid(place);
  if (running === null || !(await isServerOf(running.pid, place))) return;
  process.kill(running.pid, "SIGINT");
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline && (await isServerOf(running.pid, place))) await delay(5);
}

async function connect(place: ClusterPlace): Promise<pg.Client | null> {
  const client = new pg.Client({ ...connectionTo(place), connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch {
    // Starting up, shutting down, or gone since: the caller looks again.
    await client.end().catch(() => undefined);
    return null;
  }
}

/** What the server says of itself in postmaster.pid: its process, and whether it takes connections. */
async function readPid(place: ClusterPlace): Promise<{ pid: number; ready: boolean } | null> {
  const text = await readFile(`${place.data}/postmaster.pid`, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const lines = text.split("\n");
  return { pid: Math.abs(Number(lines[0])), ready: lines[7]?.trim() === "ready" };
}

/** Whether that process is a server on this cluster, and not one that got the number of a dead one. */
async function isServerOf(pid: number, place: ClusterPlace): Promise<boolean> {
  // Empty: being written right now, or cut off by a power failure.
  if (!(pid > 0)) return (await stat(`${place.data}/postmaster.pid`)).mtimeMs > Date.now() - 2_000;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  if (process.platform === "linux") {
    const [folder, command] = await Promise.all([
      readlink(`/proc/${pid}/cwd`).catch(() => null),
      readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""),
    ]);
    return folder === (await realpath(place.data)) && command.includes("postgres");
  }
  const found = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).catch(() => null);
  return found?.stdout.includes(place.data) ?? false;
}

async function removeLeftovers(place: ClusterPlace): Promise<void> {
  await rm(`${place.data}/postmaster.pid`, { force: true });
  await rm(`${place.socket}/.s.PGSQL.5432.lock`, { force: true });
  await rm(`${place.socket}/.s.PGSQL.5432`, { force: true });
}

interface Server {
  ended(): boolean;
}

async function startServer(
  place: ClusterPlace,
  binaries: Binaries,
  account: Account | null,
  options: readonly string[],
): Promise<Server> {
  const size = await stat(place.log)
    .then((found) => found.size)
    .catch(() => 0);
  if (size > maxLogBytes) await truncate(place.log);
  const log = await open(place.log, "a", 0o600);
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${place.socket}`,
    ...serverSettings,
    ...options,
  ];
  try {
    const child = spawn(
      binaries.postgres,
      ["-D", place.data, ...settings.flatMap((setting) => ["-c", setting])],
      {
        // A process group of its own: Ctrl-C in our terminal must not reach it.
        detached: true,
        stdio: ["ignore", log.fd, log.fd],
        cwd: place.home,
        ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
      },
    );
    let ended = false;
    child.once("exit", () => {
      ended = true;
    });
    await once(child, "spawn");
    child.unref();
    return { ended: () => ended };
  } catch (error) {
    throw new StoreError("start_failed", `PostgreSQL could not be started: ${sentenceOf(error)}`, error);
  } finally {
    await log.close();
  }
}

/** One machine, many short statements, few connections: no parallel plans, no JIT, no replication. */
const serverSettings = [
  "unix_socket_permissions=0700",
  "max_connections=200",
  "timezone=UTC",
  "jit=off",
  "io_method=sync",
  "max_parallel_workers_per_gather=0",
  "wal_level=minimal",
  "max_wal_senders=0",
  "max_logical_replication_workers=0",
  "max_wal_size=512MB",
  "log_checkpoints=off",
  "log_timezone=UTC",
];

async function failure(place: ClusterPlace): Promise<StoreError> {
  const text = await readFile(place.log, "utf8").catch(() => "");
  const lines = text.trim().split("\n");
  const last = lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.at(-1);
  return new StoreError(
    "start_failed",
    `PostgreSQL did not start: ${last || "it wrote nothing"} (log: ${place.log})`,
  );
}
