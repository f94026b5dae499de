import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../service/store/embedded/embedded.ts";
import { connectStore } from "../service/store/store.ts";
import { buildProcesses } from "./build-processes.ts";

/** How tests reach the database server of this run. */
export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** A migrated database that nobody connects to, copied for each test file. */
  readonly template: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    testServer: TestServer;
    /** The folder for `builtFile`. */
    built: string;
  }
}

/** Vitest's global setup: one PostgreSQL and one build of the processes for the whole run, in folders of their own, gone afterwards. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await placeOfDatabases(), "wh-"));
  // PostgreSQL may run as another user than we do.
  await chmod(folder, 0o755);
  const built = await buildProcesses();
  provide("built", built);
  const cleaner = cleanUpAfter(folder, built);
  const log = pino({ level: "silent" });
  const embedded = await startEmbedded({
    dataDirectory: folder,
    log,
    // Nothing of a test run is worth keeping.
    settings: ["fsync=off", "full_page_writes=off", "synchronous_commit=off"],
  });
  const template = "wheelhouse_template";
  const client = new pg.Client(embedded.connection);
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  const store = await connectStore({ ...embedded.connection, database: template }, { log });
  await store.close();
  const { host = "", port = 5432, user = "" } = embedded.connection;
  provide("testServer", { host, port, user, template });
  return async () => {
    await embedded.release();
    // A server that is slow to stop still writes.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    await rm(built, { recursive: true, force: true });
    cleaner.stdin?.end();
  };
}

/** What all databases of a run may take at one time, in bytes. */
const room = 4_000_000_000;

/**
 * In memory where there is room: each test file makes and drops a database of a thousand files, and a disk's file system
 * takes longer for each the more of them were dropped just before.
 */
async function placeOfDatabases(): Promise<string> {
  const memory = "/dev/shm";
  const found = await statfs(memory).catch(() => null);
  return found !== null && found.bavail * found.bsize >= room ? memory : tmpdir();
}

/** A server outlives whoever started it. This process sees our end by the end of its input, and leaves nothing behind. */
function cleanUpAfter(folder: string, built: string): ChildProcess {
  const script = `
    const { readFileSync, rmSync } = require("node:fs");
    process.stdin.resume().on("end", () => {
      try {
        const text = readFileSync(process.argv[1] + "/postgres/data/postmaster.pid", "utf8");
        process.kill(Number(text.split("\\n")[0]), "SIGQUIT");
      } catch {}
      setTimeout(() => {
        for (const folder of process.argv.slice(1)) rmSync(folder, { recursive: true, force: true });
      }, 500);
    });`;
  const child = spawn(process.execPath, ["-e", script, folder, built], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.unref();
  return child;
}
