import { type Kysely, sql } from "kysely";
import type { Database } from "../store/schema.ts";
import { limits } from "./engine-error.ts";
import { executeJob } from "./jobs.ts";
import type { Step } from "./kind.ts";
import type { Claim } from "./record.ts";
import { type ExecutionRow, toStep } from "./rows.ts";

/** How long a worker may be silent before others take what it has, in seconds; by the database's clock alone. */
export const leaseSeconds = 10;
const lease = sql.lit(`${leaseSeconds} s`);

/** Who claims, and what it can do. */
export interface ClaimedBy {
  readonly owner: string;
  readonly kinds: readonly string[];
  readonly placed: readonly string[];
  readonly heldLine: string;
}

/**
 * Tries to get an execution for this worker.
 * @param heldLine goes to its log when it has to wait because its team has as many as it may; `%s` becomes whose limit it is
 * @param placed kinds that have a place until they end
 * @returns the row as claimed (`running`) or held back (`queued`); undefined when somebody else has it or it is over
 */
export async function claim(
  db: Kysely<Database>,
  id: string,
  { owner, kinds, placed, heldLine }: ClaimedBy,
): Promise<ExecutionRow | undefined> {
  const { rows } = await sql<ExecutionRow>`
    select * from claim_execution(${id}, ${owner}, ${kinds}, ${placed}, ${lease}, ${sql.lit(limits.running)}, ${heldLine})
  `.execute(db);
  return rows[0];
}

/** Gives the next one that is held back its turn, if there is a place. Call it after the commit that freed one. */
export async function wakeHeld(db: Kysely<Database>, limitKey: string): Promise<void> {
  await sql`select wake_held(${limitKey}, ${sql.lit(limits.running)})`.execute(db);
}

/** What the journal has, and how often the execution had been woken before that was read. */
export async function readJournal(
  db: Kysely<Database>,
  id: string,
): Promise<{ wakeSeq: number; steps: Step[] }> {
  const row = await db.selectFrom("executions").select("wake_seq").where("id", "=", id).executeTakeFirst();
  const steps = await db.selectFrom("steps").selectAll().where("execution_id", "=", id).execute();
  return { wakeSeq: row?.wake_seq ?? 0, steps: steps.map(toStep) };
}

/**
 * Lets go of an execution that waits, unless something has woken it since `wakeSeq` was read.
 * @returns false when it was woken, or is no longer ours
 */
export async function letWait(db: Kysely<Database>, { id, epoch }: Claim, wakeSeq: number): Promise<boolean> {
  const { rows } = await sql`
    update executions set state = 'waiting', owner = null, lease = null, attempts = 0
     where id = ${id} and epoch = ${epoch} and state = 'running' and wake_seq = ${wakeSeq} returning id
  `.execute(db);
  return rows.length === 1;
}

/** How an execution is given back. */
export interface Back {
  /** It may have been its own fault: counts as an attempt. */
  readonly suspect: boolean;
  /** How long nobody gets it. */
  readonly pauseSeconds: number;
}

/** Gives an execution back so that any worker can go on with it; nothing if it is no longer ours. */
export async function giveBack(
  db: Kysely<Database>,
  { id, epoch }: Claim,
  { suspect, pauseSeconds }: Back,
): Promise<void> {
  // The sweep takes it for forgotten some seconds after this time.
  const at = sql`now() + make_interval(secs => ${pauseSeconds})`;
  await sql`
    with given as (
      update executions set state = 'queued', owner = null, lease = null, queued_at = ${at},
             attempts = attempts + ${suspect ? 1 : 0}
       where id = ${id} and epoch = ${epoch} and state = 'running' returning id, queued_at
    )
    select ${executeJob(sql`id`, "woken", sql`queued_at`)} from given
  `.execute(db);
}

/** Undoes a claim of this worker's whose answer was lost: nobody knows its epoch. */
export async function unclaim(db: Kysely<Database>, id: string, owner: string): Promise<void> {
  await sql`
    update executions set state = 'queued', owner = null, lease = null
     where id = ${id} and owner = ${owner} and state = 'running'
  `.execute(db);
}

/** What of ours is still ours, as seen by a heartbeat. */
export interface Beat {
  readonly id: string;
  readonly epoch: number;
  readonly wake_seq: number;
}

/** Renews the leases of these executions. @returns those that this worker still has */
export async function renewLeases(
  db: Kysely<Database>,
  owner: string,
  ids: readonly string[],
): Promise<Beat[]> {
  const { rows } = await sql<Beat>`
    with mine as (
      select id from executions where id = any (${ids}) and owner = ${owner} and state = 'running'
       order by depth, id for no key update
    )
    update executions set lease = clock_timestamp() + ${lease}::interval
      from mine where executions.id = mine.id returning executions.id, epoch, wake_seq
  `.execute(db);
  return rows;
}
