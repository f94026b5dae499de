import { sql } from "kysely";
import type { Caller } from "../areas/handler.ts";
import type { Store } from "../store/store.ts";
import { type CallerRow, callerColumns, callerTables, lacksPlan, toCaller } from "./caller-row.ts";

/**
 * Who the owner of a credential is by now, for what was signed for it: with the teams, members and plan of this moment.
 * @returns null when it was revoked, has expired, or its owner's plan has no keys any more
 */
export async function callerById({ db }: Store, credentialId: string): Promise<Caller | null> {
  const { rows } = await sql<CallerRow>`
    select ${sql.raw(callerColumns)} from ${sql.raw(callerTables)} where c.id = ${credentialId}`.execute(db);
  const [row] = rows;
  return row?.valid && !lacksPlan(row) ? toCaller(row) : null;
}
