import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { openStore, type Store } from "../src/service/store/store.ts";
import { type Figure, quantile } from "./report.ts";
import { takeOverByStart } from "./service-takeover.ts";

/** So many at a time, each with a database and two processes of its own. */
const pairs = 4;
/** Within this time a victim begins, after the one that is to take over. */
const spreadMs = 5_000;

/** Who goes on: a process that was there beside the killed one, or one that is started when it is gone. */
const successors = ["another", "the next"] as const;
type Successor = (typeof successors)[number];
/** Of the whole service, one after the other. */
const serviceRounds = 12;

/**
 * How long an execution lies still when the process that had just claimed it is killed in one of its steps: until another
 * process has done the step, one that was there already, or one that is started at once where the killed one was alone. That
 * is the longest that it may take, as the lease is new. And the same of a whole service with its own database, which is
 * killed at any time of a node.
 * @param rounds of four pairs of processes each
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
  const figures = (step: string, all: readonly number[]): Figure[] => {
    const name = `from the kill to the step of ${step}`;
    return [
      { name: `${name}, p50`, value: quantile(all, 0.5) / 1_000, unit: "s", budget: null, samples: all },
      { name: `${name}, p99`, value: quantile(all, 0.99) / 1_000, unit: "s", budget: 13, samples: all },
    ];
  };
  return [
    ...successors.flatMap((one) => figures(`${one} process`, samples[one])),
    ...figures("a whole service, started again", await takeOverByStart(serviceRounds)),
  ];
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
