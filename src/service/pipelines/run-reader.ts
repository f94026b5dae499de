import { batched } from "../store/batch.ts";
import { type Generations, removalsSql } from "../store/generation.ts";
import type { ExecutionState } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

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
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  /** The last removal that it was read after. */
  readonly removals: string;
}

/** The large parts of a run, each as JSON text. */
export interface RunParts {
  /** `{}` until the run is done. */
  readonly outputs: string;
  readonly log: string;
  /** The run's `files` (§2.2): `[{name, size, media_type}]`. */
  readonly files: string;
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
  /** The answer of `render` for this revision; kept for a while, as long as it is not large. */
  answer(head: RunHead, render: (parts: RunParts) => string): Promise<string>;
}

const maxCachedRuns = 500;
const maxCachedLength = 256 * 1024;

const maxEndedRuns = 5_000;

export function createRunReader(store: Store, generations: Generations): RunReader {
  const find = batched((ids: readonly string[]) => readHeads(store, ids));
  const ended = generations.rememberRuns<RunHead>(maxEndedRuns);
  const kept = new Map<string, { readonly revision: number; readonly text: Promise<string> }>();

  const read = async (run: RunHead, render: (parts: RunParts) => string) => {
    try {
      const text = render(await readParts(store, run));
      if (text.length > maxCachedLength) forget(run);
      return text;
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
    answer(run, render) {
      const before = kept.get(run.id);
      kept.delete(run.id);
      // A revision's content never changes, so those who ask for it while it is read share the reading.
      const entry =
        before?.revision === run.revision ? before : { revision: run.revision, text: read(run, render) };
      kept.set(run.id, entry);
      for (const oldest of kept.keys()) {
        if (kept.size <= maxCachedRuns) break;
        kept.delete(oldest);
      }
      return entry.text;
    },
  };
}

async function readHeads(store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, RunHead>> {
  const rows = await store.prompt<RunHead>({
    name: "run_heads",
    text: `select id, subject_id, user_id, team_id, state, revision, log_count, created_at, started_at, finished_at,
                  ${removalsSql} as removals
             from executions where id = any($1::text[]) and kind = 'pipeline'`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The log goes up to the head's count, so that log and revision are of the same moment. */
async function readParts(store: Store, { id, log_count, state }: RunHead): Promise<RunParts> {
  const { rows } = await store.pool.query<RunParts>({
    name: "run_parts",
    text: `select case when $3 then coalesce(result -> 'outputs', '{}')::text else '{}' end as outputs,
                  (select case lines when '' then '[""]'
                            else coalesce(array_to_json(string_to_array(lines, E'\\n'))::text, '[]') end
                     from (select string_agg(text, E'\\n' order by seq) as lines from log_lines
                            where execution_id = $1 and seq <= $2) whole) as log,
                  (select coalesce(json_agg(json_build_object('name', name, 'size', size, 'media_type', media_type)
                                            order by created_at, name), '[]')::text
                     from run_files where execution_id = $1) as files
             from executions where id = $1`,
    // As the head says, not as it may be by now: outputs are there only with DONE.
    values: [id, log_count, state === "done"],
  });
  return rows[0] ?? { outputs: "{}", log: "[]", files: "[]" };
}
