import { sql } from "kysely";
import type { Tx } from "./store.ts";

/**
 * Waits until nobody else, in any process, holds this name, and holds it until the transaction ends: what is done under
 * one name happens one after the other.
 */
export async function holdName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
