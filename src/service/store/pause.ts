import type { Kysely } from "kysely";
import type { Database } from "./schema.ts";

/** A database that waits to be let go on: nothing of it is run, swept or deleted, and nobody outside is asked. */
export interface Pause {
  readonly since: Date;
  /** A sentence for people, without the full stop. */
  readonly reason: string;
}

/** @returns null where work goes on */
export async function readPause(db: Kysely<Database>): Promise<Pause | null> {
  return (await db.selectFrom("pause").select(["since", "reason"]).executeTakeFirst()) ?? null;
}

/** Lets work go on; services that run notice within some seconds. @returns false where it was not paused */
export async function endPause(db: Kysely<Database>): Promise<boolean> {
  return (await db.deleteFrom("pause").returning("since").execute()).length > 0;
}
