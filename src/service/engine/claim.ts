import { type Kysely, sql } from "kysely";
import { stampOf } from "../store/log-rows.ts";
import { onePlan, unplanned } from "../store/prepared.ts";
import type { Database } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { limits } from "./engine-error.ts";
import type { Step } from "./kind.ts";
import { type ClaimedRow, claimedColumns } from "./large-input.ts";
import { lastLine } from "./log-writes.ts";
import { toStep } from "./rows.ts";
import { notifyReady } from "./signals.ts";

/** One worker's hold on an execution: whoever claims it next has the next epoch. */
export interface Claim {
  readonly id: string;
  readonly epoch: number;
}

/** How long a worker may be silent before others take what it has, in seconds; by the database's clock alone. */
export const leaseSeconds = 10;
/** The same as an interval, for SQL. */
export const lease = sql.lit(`${leaseSeconds} s`);

/** Who claims, and what it can do. */
export interface Claimant {
  readonly owner: string;
  readonly kinds: readonly string[];
  /** Kinds that have a place until they end. */
  readonly placed: readonly string[];
  /**
   * Goes to the log of what has to wait because its team has as many as it may, after `%1$s` became how many that are,
   * `%2$s` whose limit it is, `%3$s` their verb and `%4$s` which of them has to end.
   */
  readonly heldLine: string;
}

/**
 * Tries to get an execution that this process has started itself.
 * @returns the row as claimed (`running`) or held back (`queued`); undefined when somebody else has it or it is over
 */
export async function claim(
  db: Kysely<Database>,
  id: string,
  { owner, kinds, placed, heldLine }: Claimant,
): Promise<ClaimedRow | undefined> {
  const { rows } = await sql<ClaimedRow>`
    select ${claimedColumns(sql`claimed`)} from claim_execution(${id}, ${owner}, ${kinds}, ${placed}, ${lease}, ${sql.lit(limits.running)}, ${heldLine}) claimed
  `.execute(db);
  return rows[0];
}

/**
 * Tells all workers that each of these teams or persons of which something is held back may have a place again. Call it after
 * the commit that freed one. Costs a look at an index of what is held, which is mostly empty.
 */
export async function tellOfPlaces(db: Kysely<Database>, limitKeys: readonly string[]): Promise<void> {
  await sql`
    select ${notifyReady} from (select limit_key, null as user_id from unnest(${unplanned(sql`${limitKeys}::text[]`)}) limit_key) freed
     where exists (select from executions where executions.limit_key = freed.limit_key and held_at is not null)
  `.execute(db);
}

/** What the journal has, the date of the last line, and how often the execution had been woken before that was read. */
export async function readJournal(
  db: Kysely<Database>,
  id: string,
): Promise<{ wakeSeq: number; steps: Step[]; lastLogged: string | null }> {
  const row = await db
    .selectFrom("executions")
    .select(["wake_seq", sql<string | null>`(${lastLine(sql`executions.id`)})`.as("last_line")])
    .where("id", "=", id)
    .modifyEnd(onePlan)
    .executeTakeFirst();
  const steps = await db.selectFrom("steps").selectAll().where("execution_id", "=", id).execute();
  return { wakeSeq: row?.wake_seq ?? 0, steps: steps.map(toStep), lastLogged: stampOf(row?.last_line) };
}

/** The date of the last line in the log of an execution; null where it has none. */
export async function readLastLogged(db: Kysely<Database>, id: string): Promise<string | null> {
  const { rows } = await sql<{ last_line: string }>`
    select last_line from (${lastLine(sql`${id}`)}) last (last_line)`.execute(db);
  return stampOf(rows[0]?.last_line);
}

/**
 * Suspends an execution that waits, unless something has woken it since `wakeSeq` was read.
 * @param forPeople all that it waits for is people, or what is below it
 * @param idleMs for how long its worker had it without being at it
 * @returns false when it was woken, or is no longer ours
 */
export async function suspend(
  db: Kysely<Database>,
  { id, epoch }: Claim,
  wakeSeq: number,
  forPeople: boolean,
  idleMs: number,
): Promise<boolean> {
  const { rows } = await sql`
    update executions set state = 'waiting', owner = null, lease = null, attempts = 0,
           waits_for_people = ${forPeople}, waited_ms = waited_ms + ${idleMs}
     where id = ${id} and epoch = ${epoch} and state = 'running' and wake_seq = ${wakeSeq} returning id
  `.execute(db);
  return rows.length === 1;
}

/** Nothing below `executions top` is at work or waits for anything else. */
const allWaitForPeople = sql`
  not exists (select from executions below
               where below.root_id = top.id and below.parent_id is not null and below.finished_at is null
                 and not (below.state = 'waiting' and below.waits_for_people))`;

/**
 * Takes the place of the one at the top of a tree in which everything waits for people, who may take days: others of its team
 * may have it from then on. To be called after each that begins to wait so: of two at once the later sees both.
 * @param id of any in the tree
 * @returns whose place it was
 */
export async function givePlace(db: Kysely<Database>, id: string): Promise<readonly string[]> {
  const { rows } = await sql<{ limit_key: string }>`
    update executions top set has_place = false
     where id = (select root_id from executions where id = ${id}) and has_place and state = 'waiting' and waits_for_people
       and ${allWaitForPeople}
    returning limit_key`.execute(db);
  return rows.map(({ limit_key }) => limit_key);
}

/**
 * The same of all trees: whoever began to wait last may have died, or lost the database, before it gave the place. What somebody
 * holds is left for the next time.
 */
export async function giveLeftPlaces(db: Kysely<Database>): Promise<void> {
  await sql`
    with left_over as (
      select id from executions top
       where has_place and finished_at is null and state = 'waiting' and waits_for_people and ${allWaitForPeople}
         for no key update skip locked
    ), given as (
      update executions set has_place = false from left_over where executions.id = left_over.id returning limit_key
    )
    select ${notifyReady} from (select distinct limit_key, null as user_id from given) freed`.execute(db);
}

/** How an execution is queued again. */
export interface Requeue {
  /** It may have been its own fault: counts as an attempt. */
  readonly suspect: boolean;
  /** How long nobody gets it. */
  readonly pauseSeconds: number;
  /** This process had begun it, and stops: its trace says where another one goes on. */
  readonly isHandover?: boolean;
}

/**
 * Queues an execution again so that any worker can go on with it; nothing if it is no longer ours.
 * @param idleMs for how long its worker had it without being at it
 */
export async function requeue(
  db: Kysely<Database>,
  { id, epoch }: Claim,
  { suspect, pauseSeconds, isHandover = false }: Requeue,
  idleMs = 0,
): Promise<void> {
  const noted = sql`, noted as (
      insert into takeovers (execution_id, epoch, at, is_handover)
      select given.id, given.epoch, clock_timestamp(), true from given join traces on traces.root_id = given.root_id
      on conflict do nothing
    )`;
  await sql`
    with given as (
      update executions set state = 'queued', owner = null, lease = null,
             queued_at = now() + make_interval(secs => ${pauseSeconds}), attempts = attempts + ${suspect ? 1 : 0},
             waited_ms = waited_ms + ${idleMs + pauseSeconds * 1_000}
       where id = ${id} and epoch = ${epoch} and state = 'running' returning id, root_id, epoch, limit_key, user_id
    )${isHandover ? noted : sql``}
    select ${notifyReady} from given
  `.execute(db);
}

/** Sets the columns of a claim whose answer was lost. It waits anew from then on: what it had waited is counted. */
export const undone = sql`state = 'queued', queued_at = lease - ${lease}::interval, owner = null, lease = null`;

/** Undoes a claim of this worker's whose answer was lost: nobody knows its epoch. */
export async function undoClaim(db: Kysely<Database>, id: string, owner: string): Promise<void> {
  await sql`
    update executions set ${undone}
     where id = ${id} and owner = ${owner} and state = 'running'
  `.execute(db);
}

/** What of ours is still ours, as seen by a heartbeat. */
export interface Heartbeat {
  readonly id: string;
  readonly epoch: number;
  readonly wake_seq: number;
  /** False where somebody held the row just then: its lease is what it was. */
  readonly renewed: boolean;
}

/** For the answer to a heartbeat, in milliseconds: a lease lasts for two that get none and one that does. */
const heartbeatTimeoutMs = 2_500;

/**
 * Renews the leases of these executions.
 * @param held what to do about rows that somebody holds: `skip` them, lest one costs the others their leases, or `wait`
 * @returns those that this worker still has
 * @throws what a lost database throws, also when it says nothing for a while
 */
export function renewLeases(
  store: Store,
  owner: string,
  ids: readonly string[],
  held: "skip" | "wait",
): Promise<Heartbeat[]> {
  const query = { name: `renew_leases_${held}`, text: renewSql[held], values: [ids, owner] };
  return store.prompt<Heartbeat>(query, heartbeatTimeoutMs);
}

const renewing = (lock: string) => `
  with mine as (
    select id from executions where id = any($1::text[]) and owner = $2 and state = 'running'
     order by depth, id for no key update ${lock}
  ), renewed as (
    update executions set lease = clock_timestamp() + interval '${leaseSeconds} s'
      from mine where executions.id = mine.id returning executions.id
  )
  select id, epoch, wake_seq, exists (select from renewed where renewed.id = executions.id) as renewed
    from executions where id = any($1::text[]) and owner = $2 and state = 'running'`;
const renewSql = { skip: renewing("skip locked"), wait: renewing("") };
