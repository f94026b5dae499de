import { setFlagsFromString } from "node:v8";

/** By how much, in percent, what is old may grow beyond what lived at the last collection before the next one begins. */
const growth = 50;

/**
 * Lets this process collect garbage when half as much as lives has come, not three times as much, as V8 would on a machine
 * with much memory: many large bodies and answers at once, of which little lives for long, then take no more than the machine
 * is to give (`npm run bench memory`). What lives may be as large as before. V8 looks at this flag at each collection, so
 * that it can be set while it runs.
 */
export function collectEarly(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
}
