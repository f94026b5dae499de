import { sql } from "kysely";
import { connectionDays } from "../../contract/scopes.ts";
import type { Context } from "../context.ts";
import { createRecurring, type Recurring } from "../recurring.ts";
import type { Store } from "../store/store.ts";

/**
 * Removes what is over: requests that nobody answered, access tokens an hour after their end, connections that have ended or ran
 * out, with what they had, and used refresh tokens that are older than any that still works.
 * @returns how many rows
 */
export async function sweepOauth({ db }: Pick<Store, "db">): Promise<number> {
  const { rows } = await sql<{ removed: string }>`
    with requests as (delete from oauth_requests where expires_at < now() returning 1),
         tokens as (
           delete from credentials
            where connection_id is not null and expires_at < now() - interval '1 hour' returning 1),
         connections as (
           delete from oauth_connections
            where expires_at < now() - interval '1 day' or ended_at < now() - interval '1 day' returning 1),
         used as (
           delete from oauth_refresh_tokens
            where used_at < now() - make_interval(days => ${sql.lit(connectionDays)}) returning 1)
    select (select count(*) from requests) + (select count(*) from tokens)
         + (select count(*) from connections) + (select count(*) from used) as removed`.execute(db);
  return Number(rows[0]?.removed ?? 0);
}

const everyMs = 600_000;

/** The same each ten minutes until it is stopped, in any number of processes. */
export function createOauthSweep({ store, log }: Pick<Context, "store" | "log">): Recurring {
  return createRecurring(
    async () => {
      await sweepOauth(store);
    },
    everyMs,
    (err) => log.warn({ err }, "what is over of programs could not be removed"),
  );
}
