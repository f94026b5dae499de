import type { Context } from "../context.ts";
import { createRecurring, type Recurring } from "../recurring.ts";
import { countOf, removeExpired } from "./remove-expired.ts";
import { freeSpace } from "./space.ts";

/** Milliseconds from one pass to the next: rules are in days. */
const between = 3_600_000;
/** After fewer than so many, the room that is left is PostgreSQL's own to look after. */
const many = 10_000;

/** Deletes what is too old, at once and then now and then, until it is stopped. Any number of processes may have one. */
export function createRetention(context: Pick<Context, "store" | "files" | "retention" | "log">): Recurring {
  const { store, log } = context;
  const pass = async (signal: AbortSignal) => {
    const removed = await removeExpired(context, { signal, gentle: true, waits: false });
    if (removed === null) return;
    const count = countOf(removed);
    if (count > 0) log.info({ ...removed }, "deleted what was kept for long enough");
    if (count >= many) await freeSpace(store, signal, count);
  };
  return createRecurring(pass, between, (err) =>
    log.warn({ err }, "what was kept for long enough could not be deleted"),
  );
}
