import { sql } from "kysely";
import { ServiceError } from "../service-error.ts";
import type { Tx } from "../store/store.ts";

/**
 * Nothing outlives the key that made it: whoever found a key that ends would have what has no end. People who are signed in make what
 * they like.
 *
 * @param days how long what is made would last from now; null: it would have no end
 * @param param the field of the request that an answer names
 * @throws ServiceError `invalid_parameter` (400)
 */
export async function requireMakerOutlives(
  tx: Tx,
  { credentialId }: { readonly credentialId: string },
  { days, param }: { readonly days: number | null; readonly param: string },
): Promise<void> {
  const { rows } = await sql<{ end: string }>`
    select to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as end from credentials
     where id = ${credentialId} and kind = 'personal' and expires_at is not null
       and not coalesce(now() + make_interval(days => ${days}) <= expires_at, false)`.execute(tx);
  const [key] = rows;
  if (key === undefined) return;
  throw new ServiceError("invalid_parameter", {
    message: `A key lets nothing in that outlives it: this one ends on ${key.end} UTC. Sign in to do so.`,
    param,
  });
}
