import { sql } from "kysely";
import { takeAdvisoryLock } from "../store/lock.ts";
import type { Store, Tx } from "../store/store.ts";

/** Tries of a password that are free for one network, before each next one has to wait. */
const freeAttempts = 10;
const maxBackoff = 25;
/** Wrong passwords of one link, from networks where nobody knew it yet, that may be compared within an hour. */
const maxPerHour = 60;
const hour = 3_600;
/** For so long it is known that somebody in a network knew the password. */
const knownDays = 30;

/** What was tried on one link within the last hour, in seconds before now; newest first. */
export interface Attempts {
  readonly byAnybody: readonly number[];
  readonly byNetwork: readonly number[];
  /** Somebody there knew the password before. */
  readonly isKnown?: boolean;
}

/**
 * How long the next try has to wait (S-36): ten are free for each network, then the wait doubles from one second to 25;
 * and of one link not more than 60 an hour are compared, from wherever they come. Whose network knew the password before is
 * kept out by nobody else's guesses (S-183).
 * @returns seconds; 0: it may be made now
 */
export function backoffSeconds({ byAnybody, byNetwork, isKnown = false }: Attempts): number {
  const doubled = Math.min(maxBackoff, 2 ** (byNetwork.length - freeAttempts));
  const sinceNewest = byNetwork[0] ?? hour;
  const ofNetwork = byNetwork.length < freeAttempts ? 0 : doubled - sinceNewest;
  const oldest = isKnown ? undefined : byAnybody[maxPerHour - 1];
  return Math.max(0, ofNetwork, oldest === undefined ? 0 : hour - oldest);
}

export type Admission =
  | { readonly type: "admitted"; readonly attemptId: string }
  /** @see waitOf, in seconds */
  | { readonly type: "wait"; readonly seconds: number };

/** The one clock that all processes share, at this moment of the transaction. */
async function databaseTime(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error("the database does not know the time");
  return row.now;
}

/**
 * Lets a try of a link's password through or not, before anything is compared. Written down first and one after the
 * other, so that tries at the same time, also in other processes, count each other.
 * @param time is asked when it is this try's turn
 */
export async function admitAttempt(
  { db }: Store,
  artifactId: string,
  network: string,
  time: (tx: Tx) => Promise<Date> = databaseTime,
): Promise<Admission> {
  return await db.transaction().execute(async (tx) => {
    await takeAdvisoryLock(tx, `link tries ${artifactId}`);
    const now = await time(tx);
    const since = new Date(now.getTime() - hour * 1000);
    await tx
      .deleteFrom("link_tries")
      .where("artifact_id", "=", artifactId)
      .where("tried_at", "<=", since)
      .execute();
    const rows = await tx
      .selectFrom("link_tries")
      .select(["network", "tried_at"])
      .where("artifact_id", "=", artifactId)
      .orderBy("tried_at", "desc")
      .execute();
    const ages = rows.map((row) => ({
      network: row.network,
      age: (now.getTime() - row.tried_at.getTime()) / 1000,
    }));
    const visitor = await tx
      .selectFrom("link_visitors")
      .select("network")
      .where("artifact_id", "=", artifactId)
      .where("network", "=", network)
      .where("seen_at", ">", new Date(now.getTime() - knownDays * 24 * hour * 1000))
      .executeTakeFirst();
    const seconds = backoffSeconds({
      isKnown: visitor !== undefined,
      byAnybody: ages.map(({ age }) => age),
      byNetwork: ages.filter((row) => row.network === network).map(({ age }) => age),
    });
    if (seconds > 0) return { type: "wait", seconds };
    const { id } = await tx
      .insertInto("link_tries")
      .values({ artifact_id: artifactId, network, tried_at: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { type: "admitted", attemptId: id };
  });
}

/** A right password is no guess: it does not count, and its network starts anew. What others guessed still counts. */
export async function forgiveAttempt(
  { db }: Store,
  artifactId: string,
  network: string,
  attemptId: string,
): Promise<void> {
  await db.deleteFrom("link_tries").where("id", "=", attemptId).execute();
  await db
    .updateTable("link_tries")
    .set({ network: null })
    .where("artifact_id", "=", artifactId)
    .where("network", "=", network)
    .execute();
  await sql`
    insert into link_visitors (artifact_id, network) values (${artifactId}, ${network})
    on conflict (artifact_id, network) do update set seen_at = now()`.execute(db);
}
