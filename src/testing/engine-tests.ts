import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Engine } from "../service/engine/engine.ts";
import type { Kind } from "../service/engine/kind.ts";
import { type FreshStore, freshStore } from "./database.ts";
import { brokenInvariants, testEngine } from "./engine.ts";

/** What the tests of one file about the engine share. */
export interface EngineTests {
  /** The file's own database; there from the first hook on. */
  readonly fresh: FreshStore;
  /** An engine that works, stopped after the test. */
  working(kinds: Record<string, Kind>, concurrency?: number): Promise<Engine>;
}

/** Gives a test file a database and engines; after each test the invariants of all executions are checked. */
export function engineTests(): EngineTests {
  let fresh: FreshStore | undefined;
  const engines: Engine[] = [];
  const opened = () => {
    if (fresh === undefined) throw new Error("the database is there from the first hook on");
    return fresh;
  };
  beforeAll(async () => {
    fresh = await freshStore();
  });
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.stop({ graceMs: 1_000 })));
    expect(await brokenInvariants(opened().store)).toEqual([]);
  });
  afterAll(() => fresh?.drop());
  return {
    get fresh() {
      return opened();
    },
    async working(kinds, concurrency = 4) {
      const engine = testEngine(opened().store, kinds, { concurrency });
      engines.push(engine);
      await engine.work();
      return engine;
    },
  };
}
