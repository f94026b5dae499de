import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Engine } from "../service/engine/engine.ts";
import type { Kind } from "../service/engine/kind.ts";
import { builtFile } from "./built.ts";
import type { CrashPoint } from "./crash-points.ts";
import { type FreshStore, freshStore } from "./database.ts";
import { brokenInvariants, testEngine } from "./engine.ts";

/** What the tests of one file about the engine share. */
export interface EngineTests {
  /** The file's own database; there from the first hook on. */
  readonly fresh: FreshStore;
  /** An engine that works, stopped after the test. */
  working(kinds: Record<string, Kind>, concurrency?: number, logTo?: (line: string) => void): Promise<Engine>;
  /** A worker of the scripted kind in a process of its own, killed after the test. */
  workerProcess(options: WorkerProcess): Promise<ChildProcess>;
}

export interface WorkerProcess {
  /** A file that gets a line for each effect. */
  readonly ledger: string;
  readonly concurrency: number;
  /** Where it kills itself the first time that it gets there. */
  readonly diesAt?: CrashPoint | "started";
  /** How many executions of one effect it starts itself, `mine0` and so on. */
  readonly starts?: number;
  /** Whether it starts them in one group, or one after the other. */
  readonly together?: boolean;
}

/** Gives a test file a database and engines; after each test the invariants of all executions are checked. */
export function engineTests(): EngineTests {
  let fresh: FreshStore | undefined;
  const engines: Engine[] = [];
  const processes: ChildProcess[] = [];
  const opened = () => {
    if (fresh === undefined) throw new Error("the database is there from the first hook on");
    return fresh;
  };
  beforeAll(async () => {
    fresh = await freshStore();
  });
  afterEach(async () => {
    for (const child of processes.splice(0)) {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
    await Promise.all(engines.splice(0).map((engine) => engine.stop({ graceMs: 1_000 })));
    expect(await brokenInvariants(opened().store)).toEqual([]);
  });
  afterAll(() => fresh?.drop());
  return {
    get fresh() {
      return opened();
    },
    async working(kinds, concurrency = 4, logTo) {
      const engine = testEngine(opened().store, kinds, { concurrency, logTo });
      engines.push(engine);
      await engine.work();
      return engine;
    },
    async workerProcess({ ledger, concurrency, diesAt, starts = 0, together = false }) {
      const child = spawn(process.execPath, [builtFile("testing/engine-process")], {
        env: {
          ...process.env,
          DATABASE_URL: opened().url,
          LEDGER: ledger,
          CONCURRENCY: String(concurrency),
          DIES_AT: diesAt,
          STARTS: String(starts),
          TOGETHER: String(together),
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      processes.push(child);
      if (child.stdout) await once(child.stdout, "data");
      return child;
    },
  };
}
