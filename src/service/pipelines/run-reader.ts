import { batched } from "../store/batch.ts";
import { type Generations, removalsSql } from "../store/generation.ts";
import type { ExecutionState } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { partPieces, type RunParts, readParts } from "./run-parts.ts";

/** What one row tells of a run: who may see it, and whether anything has changed. */
export interface RunHead {
  readonly id: string;
  readonly subject_id: string;
  readonly user_id: string | null;
  readonly team_id: string | null;
  readonly state: ExecutionState;
  /** Rises with every change that a reader can see. */
  readonly revision: number;
  readonly log_count: number;
  /** Of its lines, in UTF-8. */
  readonly log_bytes: number;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  /** The last removal that it was read after. */
  readonly removals: string;
}

/** Reads runs for those who poll them: many heads in one query, and the large parts once for each revision. */
export interface RunReader {
  /**
   * As it is after the call. A run that has ended never changes: it is remembered, and a query that begins after the call
   * says that it was not removed.
   * @returns undefined where there is no such run
   */
  head(id: string): Promise<RunHead | undefined>;
  /** Whether the head of an ended run is still as it was at the last moment that was asked for. */
  remembers(head: RunHead): boolean;
  /**
   * The answer of `render` for this revision; kept for a while.
   * @param from the store of whoever asks
   * @returns null where it is large: `parts` has it piece by piece
   */
  answer(head: RunHead, render: (parts: RunParts) => string, from: Store): Promise<string | null>;
  parts(head: RunHead, from: Store): RunParts<AsyncIterable<string>>;
}

const maxCachedRuns = 500;

const maxEndedRuns = 5_000;

/** One for each process. @param generations says which ended runs were removed since they were read */
export function createRunReader(store: Store, generations: Generations): RunReader {
  const find = batched((ids: readonly string[]) => readHeads(store, ids));
  const ended = generations.rememberRuns<RunHead>(maxEndedRuns);
  const kept = new Map<string, { readonly revision: number; readonly text: Promise<string | null> }>();

  const read = async (run: RunHead, render: (parts: RunParts) => string, from: Store) => {
    try {
      const parts = await readParts(from, run);
      return parts && render(parts);
    } catch (error) {
      forget(run);
      throw error;
    }
  };
  const forget = ({ id, revision }: RunHead) => {
    if (kept.get(id)?.revision === revision) kept.delete(id);
  };

  return {
    async head(id) {
      if (ended.get(id) !== undefined) {
        await generations.current();
        const known = ended.get(id);
        if (known !== undefined) return known;
      }
      const found = await find(id);
      if (found !== undefined && found.finished_at !== null) ended.set(id, found.removals, found);
      return found;
    },
    remembers: (head) => ended.get(head.id) === head,
    answer(run, render, from) {
      const before = kept.get(run.id);
      kept.delete(run.id);
      // A revision's content never changes, so those who ask for it while it is read share the reading.
      const isKept = before?.revision === run.revision;
      const entry = isKept ? before : { revision: run.revision, text: read(run, render, from) };
      kept.set(run.id, entry);
      for (const oldest of kept.keys()) {
        if (kept.size <= maxCachedRuns) break;
        kept.delete(oldest);
      }
      // Whoever began it may have left before it was their turn.
      return isKept ? entry.text.catch(() => read(run, render, from)) : entry.text;
    },
    parts: (run, from) => partPieces(from, run),
  };
}

async function readHeads(store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, RunHead>> {
  const rows = await store.prompt<RunHead>({
    name: "run_heads",
    text: `select id, subject_id, user_id, team_id, state, revision, log_count, log_bytes, created_at, started_at, finished_at,
                  ${removalsSql} as removals
             from executions where id = any($1::text[]) and kind = 'pipeline'`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}
