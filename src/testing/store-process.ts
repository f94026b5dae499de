/**
 * A process that uses the embedded database of the folder DATA until it gets SIGTERM, for tests that start several or
 * kill one. Writes one line to standard output: `ready`, or the message of what went wrong.
 */
import pino from "pino";
import { openStore } from "../service/store/store.ts";
import { StoreError } from "../service/store/store-error.ts";

try {
  const store = await openStore({ dataDirectory: process.env.DATA ?? "", log: pino({ level: "silent" }) });
  process.once("SIGTERM", () => void store.close());
  process.stdout.write("ready\n");
} catch (error) {
  process.stdout.write(`${error instanceof StoreError ? `${error.kind}: ${error.message}` : error}\n`);
}
