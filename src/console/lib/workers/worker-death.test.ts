// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { aDoneRun } from "../../../testing/builders.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { signedInWheelhouse, testWorkers, workerEnds } from "../../../testing/test-wheelhouse.ts";
import { systemClock } from "../../api/clock.ts";
import { createFileClient } from "../../areas/artifacts/worker/file-client.ts";
import { createLogComparer } from "../../areas/runs/compare/useComparison.ts";
import { createRunReader } from "../../areas/runs/worker/run-reader-client.ts";
import { createBodyReader } from "../bodies/body-client.ts";
import { createMarkdownReader } from "../markdown/worker/markdown-client.ts";
import type { WorkerEnd } from "./calls.ts";

const service = mockServicePerTest();

/** How the first worker goes; those after it live. */
type Fate = "cannot be started" | "cannot be loaded" | "dies when it is asked";
const fates: readonly Fate[] = ["cannot be started", "cannot be loaded", "dies when it is asked"];

function mortal(fate: Fate, spawn: () => WorkerEnd): () => WorkerEnd {
  let started = 0;
  return () => {
    started += 1;
    if (started > 1) return spawn();
    if (fate === "cannot be started") throw new Error("No workers here");
    let die = () => {};
    const isLoaded = fate !== "cannot be loaded";
    const port = spawn();
    return {
      // What is said to a dead worker is heard by nobody.
      postMessage: () => queueMicrotask(die),
      listen: (onMessage, onDeath) => {
        die = onDeath;
        if (isLoaded) port.listen(onMessage, () => {});
        else queueMicrotask(onDeath);
      },
      terminate: port.terminate,
    };
  };
}

const none = { version: 0, length: 0, replacements: 0 };
const logOf = (...lines: string[]) => ({
  ...none,
  length: lines.length,
  getLines: (from: number, count: number) => lines.slice(from, from + count),
});

/** What is asked of a worker twice, and whether the answer is one. */
interface Client {
  readonly name: string;
  readonly make: (fate: Fate) => () => Promise<unknown>;
  readonly isAnswer: (value: unknown) => boolean;
}

const bytes = () => new TextEncoder().encode("a,b\n1,2\n").buffer as ArrayBuffer;
const status = JSON.stringify({ state: "COMPLETED", messages: [{ id: "m", role: "user", content: "Hi" }] });

const clients: readonly Client[] = [
  {
    name: "comparing two logs",
    make: (fate) => {
      const logs = { a: logOf("one", "two"), b: logOf("one", "three") };
      const comparer = createLogComparer(logs as never, mortal(fate, workerEnds.compare));
      return () => comparer.compare({ even: false, ids: [] });
    },
    isAnswer: (value) => typeof value === "object" && value !== null && "rows" in value,
  },
  {
    name: "reading a big answer",
    make: (fate) => {
      const reader = createBodyReader(mortal(fate, workerEnds.bodies));
      return () => reader.read("agentStatus", "key", status);
    },
    isAnswer: (value) => value !== undefined,
  },
  {
    name: "reading a file",
    make: (fate) => {
      const client = createFileClient(mortal(fate, workerEnds.files));
      return () => client.open("table", bytes());
    },
    isAnswer: (value) => typeof value === "object" && value !== null && "sheets" in value,
  },
  {
    name: "reading markdown",
    make: (fate) => {
      const reader = createMarkdownReader(mortal(fate, workerEnds.markdown), systemClock);
      let asked = 0;
      return () => {
        asked += 1;
        return reader.read(`*text* ${asked}`);
      };
    },
    isAnswer: (value) => (value as { kind?: string }).kind === "tree",
  },
  {
    name: "reading a run",
    make: (fate) => {
      const workers = testWorkers({ "run-reader": mortal(fate, () => workerEnds["run-reader"]()) });
      const reader = createRunReader(signedInWheelhouse({}, { workers }).api);
      return () => reader.read("run_hello", {});
    },
    isAnswer: (value) => typeof value === "object",
  },
];

describe.each(clients)("$name", ({ make, isAnswer }) => {
  it.each(fates)("says so where its worker %s, and has a new one the next time", async (fate) => {
    service().state.runs = [aDoneRun()];
    const ask = make(fate);
    const [first] = await Promise.allSettled([ask()]);
    if (first?.status === "rejected") expect(first.reason).toBeInstanceOf(Error);
    else expect(isAnswer(first?.value)).toBe(false);
    expect(isAnswer(await ask())).toBe(true);
  });
});

describe("a file whose worker died", () => {
  it("has no more rows, though another file is read by a new worker", async () => {
    const ports: (() => void)[] = [];
    const client = createFileClient(() => {
      const port = workerEnds.files();
      return {
        ...port,
        listen: (onMessage, onDeath) => {
          ports.push(onDeath);
          port.listen(onMessage, onDeath);
        },
      };
    });
    const before = await client.open("table", bytes());
    ports[0]?.();
    const after = await client.open("table", bytes());
    await expect(before.rows(0, 0, 1)).rejects.toMatchObject({ kind: "no reader" });
    expect(await after.rows(0, 0, 2)).toEqual([["1", "2"]]);
  });
});

describe("what is closed while it works", () => {
  it("answers whoever waits for a comparison or a text", async () => {
    const silent = { postMessage: () => {}, listen: () => {}, terminate: () => {} };
    const comparer = createLogComparer({ a: logOf("a"), b: logOf("b") } as never, () => silent);
    const comparison = comparer.compare({ even: false, ids: [] });
    const reader = createMarkdownReader(() => silent, systemClock);
    const text = reader.read("*a*");
    comparer.close();
    reader.close();
    await expect(comparison).rejects.toMatchObject({ kind: "closed" });
    expect(await text).toMatchObject({ kind: "plain" });
    await expect(comparer.compare({ even: false, ids: [] })).rejects.toMatchObject({ kind: "closed" });
  });
});
