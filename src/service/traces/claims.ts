import { type Kysely, sql } from "kysely";
import type { Database } from "../store/schema.ts";

/** A tree that has ended, whose trace this process is to export. */
export interface ClaimedTrace {
  readonly root_id: string;
  readonly trace_id: string;
  readonly parent_span_id: string | null;
  readonly trace_state: string | null;
  readonly is_sampled: boolean;
  /** Of all that was claimed at once: until when, as the database writes it. */
  readonly claim: string;
}

/** What a collector said it takes later rests for so long at most, in milliseconds. */
export const longestPauseMs = 300_000;

/** After so long nobody tries any more, in hours. */
export const mostHours = 24;

/**
 * Claims traces of trees that have ended, those that ended first, and that nobody else has.
 * @param ms how long a process that says nothing more has them; by the database's clock alone
 * @param longestMs what is claimed for longer was claimed before that clock was turned back
 */
export async function claimTraces(
  db: Kysely<Database>,
  count: number,
  ms: number,
  longestMs: number,
): Promise<readonly ClaimedTrace[]> {
  const { rows } = await sql<ClaimedTrace>`
    with until as materialized (select clock_timestamp() + make_interval(secs => ${ms / 1_000}) as claim), ready as (
      select traces.root_id from traces join executions on executions.id = traces.root_id
       where executions.finished_at is not null
         and (coalesce(claimed_until, '-infinity') < clock_timestamp()
              or claimed_until > clock_timestamp() + make_interval(secs => ${longestMs / 1_000}))
       order by executions.finished_at limit ${count} for update of traces skip locked
    )
    update traces set claimed_until = until.claim from ready, until where traces.root_id = ready.root_id
    returning traces.root_id, trace_id, parent_span_id, trace_state, is_sampled, until.claim::text as claim`.execute(
    db,
  );
  return rows;
}

/**
 * Claims the same for longer.
 * @returns them with their new claim; null where some are not this process's any more
 */
export async function keepTraces(
  db: Kysely<Database>,
  claimed: readonly ClaimedTrace[],
  ms: number,
): Promise<readonly ClaimedTrace[] | null> {
  const rootIds = claimed.map(({ root_id }) => root_id);
  const { rows } = await sql<{ claim: string }>`
    with until as materialized (select clock_timestamp() + make_interval(secs => ${ms / 1_000}) as claim)
    update traces set claimed_until = until.claim from until
     where root_id = any(${rootIds}::text[]) and claimed_until = ${claimed[0]?.claim ?? null}::timestamptz
    returning until.claim::text as claim`.execute(db);
  const claim = rows[0]?.claim;
  if (claim === undefined || rows.length < claimed.length) return null;
  return claimed.map((trace) => ({ ...trace, claim }));
}

/** What a collector took, or never will, is not exported again. */
export async function forgetTraces(db: Kysely<Database>, rootIds: readonly string[]): Promise<void> {
  if (rootIds.length === 0) return;
  await sql`delete from traces where root_id = any(${rootIds}::text[])`.execute(db);
}

/**
 * Gives back what was claimed and not exported, unless the claim was over and somebody else has it.
 * @param afterMs nobody gets it before
 */
export async function releaseTraces(
  db: Kysely<Database>,
  claimed: readonly ClaimedTrace[],
  afterMs: number,
): Promise<void> {
  const claim = claimed[0]?.claim;
  if (claim === undefined) return;
  const rootIds = claimed.map(({ root_id }) => root_id);
  await sql`
    update traces set claimed_until = clock_timestamp() + make_interval(secs => ${afterMs / 1_000})
     where root_id = any(${rootIds}::text[]) and claimed_until = ${claim}::timestamptz`.execute(db);
}

/** Gives up what ended too long ago. @returns how many trees that were */
export async function dropOldTraces(db: Kysely<Database>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from traces using executions
     where executions.id = traces.root_id and executions.finished_at < now() - make_interval(hours => ${mostHours})
  `.execute(db);
  return Number(numAffectedRows);
}
