import { type Kysely, sql } from "kysely";
import type { Database } from "./schema.ts";
import type { Tx } from "./store.ts";

/**
 * Waits until nobody else, in any process, holds this name, and holds it until the transaction ends: what is done under
 * one name happens one after the other.
 */
export async function takeAdvisoryLock(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** The same without waiting. @returns false where somebody else holds it */
export async function tryAdvisoryLock(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as mine`.execute(tx);
  return rows[0]?.mine === true;
}

/**
 * Lets a transaction rest for longer than others may, while something outside is asked. Only for one that keeps nobody from any
 * row meanwhile.
 * @param ms more than whoever is asked has for the answer
 */
export async function mayRest(tx: Tx, ms: number): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(ms)}`.execute(tx);
}

/** Does a part of a transaction of which nothing is left when it throws; the rest of the transaction can go on then. */
export async function inSavepoint(tx: Tx, work: () => Promise<void>): Promise<void> {
  await sql`savepoint part`.execute(tx);
  try {
    await work();
  } catch (error) {
    await sql`rollback to savepoint part`.execute(tx);
    throw error;
  } finally {
    await sql`release savepoint part`.execute(tx);
  }
}

/** Whether any connection to this database holds the lock that this number names, or waits for it. Takes nothing itself. */
export async function isLockHeld(db: Kysely<Database>, key: number): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${sql.lit(key)}::oid
                      and database = (select oid from pg_database where datname = current_database())) as held`.execute(
    db,
  );
  return rows[0]?.held === true;
}
