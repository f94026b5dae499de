import type { Selectable } from "kysely";
import type { Context, Ids } from "../context.ts";
import type { NewExecution } from "../engine/kind.ts";
import { wakeNow } from "../engine/wake.ts";
import { takeAdvisoryLock } from "../store/lock.ts";
import type { KnowledgeSourcesTable } from "../store/schema-agents.ts";
import type { Tx } from "../store/store.ts";

/** The name of the kind, in `executions.kind`. Its subject is the source. */
export const syncKind = "knowledge";

type Source = Selectable<KnowledgeSourcesTable>;

/** A new run for a source. */
export function syncRun(ids: Ids, source: Source): NewExecution {
  const teamId = source.scope === "team" ? source.team_id : null;
  return {
    ...{ id: ids.make("sync"), kind: syncKind, subjectId: source.id },
    ...{ userId: source.created_by_user_id, teamId },
    input: {},
  };
}

/** Notes which run reads the files of a source. */
export async function setRun(tx: Tx, sourceId: string, runId: string): Promise<void> {
  await tx.updateTable("knowledge_sources").set({ sync_run_id: runId }).where("id", "=", sourceId).execute();
}

/**
 * Begins a change of what the run of a source has to do, in the transaction that makes it and before anything of the source
 * is locked: a run holds its execution first, then its source. One such change at a time.
 * @returns the run that is under way, which looks again after the commit; null where none is
 */
export async function wakeRun(tx: Tx, sourceId: string): Promise<string | null> {
  await takeAdvisoryLock(tx, `knowledge run ${sourceId}`);
  for (let over: string | null = null; ; ) {
    const run = await currentRun(tx, sourceId);
    // One that has just ended may have left the rest to another.
    if (run === null || run === over) return null;
    if (await wakeNow(tx, run)) return run;
    over = run;
  }
}

async function currentRun(tx: Tx, sourceId: string): Promise<string | null> {
  const row = await tx
    .selectFrom("knowledge_sources")
    .select("sync_run_id")
    .where("id", "=", sourceId)
    .executeTakeFirst();
  return row?.sync_run_id ?? null;
}

/**
 * Sees to it that a source has a run, at the end of such a change.
 * @param underWay as `wakeRun` said
 * @returns its id
 */
export async function ensureRun(
  tx: Tx,
  { ids, engine }: Pick<Context, "ids" | "engine">,
  source: Source,
  underWay: string | null,
): Promise<string> {
  if (underWay !== null) return underWay;
  const run = syncRun(ids, source);
  await engine.start(tx, run);
  await setRun(tx, source.id, run.id);
  return run.id;
}
