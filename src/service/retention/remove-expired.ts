import { setTimeout } from "node:timers/promises";
import type { Context } from "../context.ts";
import { removeUnnamed, withoutName } from "../files/sweep-files.ts";
import { takeAdvisoryLock, tryAdvisoryLock } from "../store/lock.ts";
import { mergedAtOnce, mergeTombstones } from "../store/merge-tombstones.ts";
import type { Tx } from "../store/store.ts";
import { removeConversations, removeLeftEvaluations } from "./remove-conversations.ts";
import { removeRunFiles } from "./remove-files.ts";
import { removeRuns } from "./remove-runs.ts";
import { removeLogLines } from "./remove-trees.ts";
import { deletesAny, type RetentionRules } from "./rules.ts";
import { forgetSearched } from "./search-rows.ts";
import type { Batch } from "./walk.ts";

const lock = "retention";

type Parts = Pick<Context, "store" | "files" | "retention">;

/** How many of each went. */
export interface Removed {
  readonly runs: number;
  readonly conversations: number;
  readonly run_files: number;
  /** Rows of the search whose run or conversation stays. */
  readonly search_index: number;
}

/** How many things that is. */
export function countOf(removed: Removed): number {
  return Object.values(removed).reduce((sum, next) => sum + next, 0);
}

/** How a pass is done. */
export interface PassOptions {
  readonly signal?: AbortSignal;
  /** Rest between two transactions as long as the one before took, so that a pass has half of one connection's time. */
  readonly gentle: boolean;
  /** Wait for another process that is at it, instead of leaving it to that one. */
  readonly waits: boolean;
}

/**
 * Deletes what is too old by the rules, in small transactions, until nothing is left that may go. Each decides anew what
 * may go and is complete in itself, so a crash between two of them loses nothing but time. Rows go first; bytes after the
 * commit, and what a crash leaves of those the sweep of files finds (src/service/files/sweep-files.ts).
 * @returns what went; null where another process is at it
 */
export async function removeExpired(parts: Parts, options: PassOptions): Promise<Removed | null> {
  const { retention } = parts;
  const total = { runs: 0, conversations: 0, run_files: 0, search_index: 0 };
  if (!deletesAny(retention)) return total;
  const walk = async <P>(
    kind: keyof Removed,
    batch: (tx: Tx, rules: RetentionRules, after: P | null) => Promise<Batch<P>>,
  ): Promise<number | null> => {
    const removed = await walkOnce(parts, options, batch);
    if (removed !== null) total[kind] += removed;
    return removed;
  };
  // What a run or conversation kept back may be free once that is gone.
  for (let round = 1; round > 0; ) {
    round = 0;
    if (deletesAny(retention, ["runs", "failed_runs"])) {
      const runs = await walk("runs", removeRuns);
      if (runs === null) return null;
      round += runs;
    }
    if (deletesAny(retention, ["conversations"])) {
      const conversations = await walk("conversations", removeConversations);
      if (conversations === null) return null;
      round += conversations;
    }
    if (options.signal?.aborted) return total;
  }
  if (
    deletesAny(retention, ["conversations"]) &&
    (await walkOnce(parts, options, removeLeftEvaluations)) === null
  ) {
    return null;
  }
  if (deletesAny(retention, ["run_files"]) && (await walk("run_files", removeRunFiles)) === null) return null;
  if (deletesAny(retention, ["search_index"]) && (await walk("search_index", forgetSearched)) === null) {
    return null;
  }
  if ((await walkOnce(parts, options, removeLogs)) === null) return null;
  await mergeTombstones(parts.store, options.signal);
  return total;
}

async function removeLogs(tx: Tx): Promise<Batch<true>> {
  const removed = await removeLogLines(tx);
  return { removed, fileIds: [], next: removed > 0 ? true : null };
}

/** @returns how many went; null where another process is at it */
async function walkOnce<P>(
  { store, files, retention }: Parts,
  { signal, gentle, waits }: PassOptions,
  batch: (tx: Tx, rules: RetentionRules, after: P | null) => Promise<Batch<P>>,
): Promise<number | null> {
  let removed = 0;
  let batches = 0;
  for (let after: P | null = null; !signal?.aborted; ) {
    const begun = performance.now();
    const done = await store.db.transaction().execute(async (tx) => {
      if (waits) await takeAdvisoryLock(tx, lock);
      else if (!(await tryAdvisoryLock(tx, lock))) return null;
      return await batch(tx, retention, after);
    });
    if (done === null) return null;
    removed += done.removed;
    if (done.fileIds.length > 0) await removeUnnamed(files, await withoutName(store, done.fileIds));
    // Each left a segment.
    if (done.removed > 0 && ++batches % mergedAtOnce === 0) await mergeTombstones(store, signal);
    if (done.next === null) break;
    after = done.next;
    if (gentle) await setTimeout(performance.now() - begun, undefined, { signal }).catch(() => undefined);
  }
  return removed;
}
