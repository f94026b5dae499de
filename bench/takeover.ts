import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { openStore, type Store } from "../src/service/store/store.ts";
import { type Figure, quantile } from "./report.ts";

/** So many at a time, each with a database and two processes of its own. */
const pairs = 4;
/** Within this time a victim begins, after the one that is to take over. */
const spreadMs = 5_000;

/** Who goes on: a process that was there beside the killed one, or one that is started when it is gone. */
const successors = ["another", "the next"] as const;
type Successor = (typeof successors)[number];

/**
 * How long an execution lies still when the process that had just claimed it is killed in one of its steps: until another
 * process has done the step, one that was there already, or one that is started at once where the killed one was alone. That
 * is the longest that it may take, as the lease is new.
 */
export async function benchTakeover(rounds = 6): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  const store = await openStore({ dataDirectory: folder, log: pino({ level: "silent" }) });
  const samples: Record<Successor, number[]> = { another: [], "the next": [] };
  try {
    for (const [at, successor] of successors.entries()) {
      for (let round = 0; round < rounds; round++) {
        const names = Array.from({ length: pairs }, (_, pair) => `takeover_${at}_${round}_${pair}`);
        const took = names.map((name) => takeover(store, name, folder, successor));
        samples[successor].push(...(await Promise.all(took)));
      }
    }
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const figure = (successor: Successor, q: number, budget: number | null): Figure => {
    const name = `from the kill to the step of ${successor} process, p${q * 100}`;
    const all = samples[successor];
    return { name, value: quantile(all, q) / 1_000, unit: "s", budget, samples: all };
  };
  return successors.flatMap((one) => [figure(one, 0.5, null), figure(one, 0.99, 13)]);
}

/** @returns milliseconds from the end of the first process to the step of the second */
async function takeover(
  store: Store,
  database: string,
  folder: string,
  successor: Successor,
): Promise<number> {
  await store.pool.query(`create database ${database}`);
  const { host, user } = store.connection;
  const ledger = join(folder, database);
  const open = async (more: Record<string, string>) => {
    const child = spawn(process.execPath, ["--import", "tsx", "src/testing/engine-process.ts"], {
      cwd: join(import.meta.dirname, ".."),
      env: {
        ...process.env,
        DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(host ?? "")}`,
        LEDGER: ledger,
        ...more,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    return child;
  };
  let survivor = successor === "another" ? await open({}) : null;
  try {
    // What looks for the left behind does so every few seconds: it is met at any time between.
    await delay(Math.random() * spreadMs);
    const victim = await open({ DIES_AT: "in a step", STARTS: "1" });
    if (!isOver(victim)) await once(victim, "exit");
    const killedAt = performance.now();
    survivor ??= await open({});
    while (!existsSync(ledger)) {
      if (isOver(survivor)) throw new Error("the process that was to take over has ended");
      await delay(10);
    }
    return performance.now() - killedAt;
  } finally {
    survivor?.kill("SIGKILL");
    if (survivor !== null && !isOver(survivor)) await once(survivor, "exit");
  }
}

const isOver = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
