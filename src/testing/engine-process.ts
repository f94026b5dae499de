/**
 * A worker as a process of its own, for tests that kill it: node --import tsx src/testing/engine-process.ts
 * DATABASE_URL, LEDGER (a file that gets a line for each effect), CONCURRENCY. Writes `ready` to standard output.
 */
import { appendFileSync } from "node:fs";
import pino from "pino";
import { openStore } from "../service/store/store.ts";
import { testEngine } from "./engine.ts";
import { scriptedKind } from "./scripted-kind.ts";

const ledger = process.env.LEDGER ?? "";
const store = await openStore({
  databaseUrl: process.env.DATABASE_URL,
  dataDirectory: "unused",
  log: pino({ level: "silent" }),
});
const kind = scriptedKind({
  after: (id, key) => appendFileSync(ledger, `${id} ${key}\n`),
});
const engine = testEngine(store, { scripted: kind }, { concurrency: Number(process.env.CONCURRENCY ?? 4) });
await engine.work();
process.once("SIGTERM", () => {
  void engine.stop({ graceMs: 200 }).then(() => store.close());
});
process.stdout.write("ready\n");
