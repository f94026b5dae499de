/**
 * A worker as a process of its own, for tests that kill it; `builtFile` has it.
 * DATABASE_URL, LEDGER (a file that gets a line for each effect), CONCURRENCY, DIES_AT (a crash point), STARTS (how many it
 * starts itself), TOGETHER (in one group; it can die at `started` then, as soon as it has the first answer). Writes `ready` to standard output.
 */
import { appendFileSync } from "node:fs";
import pino from "pino";
import { readExecution } from "../service/engine/queries.ts";
import { openStore } from "../service/store/store.ts";
import { crashingKind } from "./crash-points.ts";
import { testEngine } from "./engine.ts";
import { scriptedKind, startOf } from "./scripted-kind.ts";

const ledger = process.env.LEDGER ?? "";
const store = await openStore({
  databaseUrl: process.env.DATABASE_URL,
  dataDirectory: "unused",
  log: pino({ level: "silent" }),
});
const diesAt = process.env.DIES_AT;
const die = (): never => {
  process.kill(process.pid, "SIGKILL");
  // The signal comes at once; whatever else is to run must not.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
const script = scriptedKind({
  before: () => void (diesAt === "in a step" && die()),
  after(id, key) {
    appendFileSync(ledger, `${id} ${key}\n`);
    if (diesAt === "effect done") die();
  },
});
const hasEnded = async (id: string) => (await readExecution(store.db, id))?.finishedAt != null;
const kind = diesAt === undefined ? script : crashingKind(script, diesAt, die, hasEnded);
const engine = testEngine(store, { scripted: kind }, { concurrency: Number(process.env.CONCURRENCY ?? 4) });
await engine.work();
process.once("SIGTERM", () => {
  void engine.stop({ graceMs: 200 }).then(() => store.close());
});
process.stdout.write("ready\n");
const mine = Array.from({ length: Number(process.env.STARTS ?? 0) }, (_, n) =>
  startOf(`mine${n}`, [{ do: "effect" }]),
);
if (process.env.TOGETHER === "true") {
  await Promise.all(
    mine.map(async (one) => {
      await engine.launch(one);
      if (diesAt === "started") die();
    }),
  );
} else for (const one of mine) await engine.starting((_, begin) => begin(one));
