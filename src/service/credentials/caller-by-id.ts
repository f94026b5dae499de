import { sql } from "kysely";
import type { Caller } from "../areas/handler.ts";
import type { Store } from "../store/store.ts";
import { type CallerRow, callerColumns, callerTables, lacksPlan, toCaller } from "./caller-row.ts";

/** Somebody as the caller that they would be now; null where there is no such person. Deactivated ones are in no team. */
export async function callerOfPerson(
  { db }: Store,
  userId: string,
): Promise<(Extract<Caller, { userId: string }> & { readonly isActive: boolean }) | null> {
  const person = await db
    .selectFrom("users")
    .select(["role", "deactivated_at"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (person === undefined) return null;
  const memberships = await db
    .selectFrom("active_members")
    .select(["team_id", "role"])
    .where("user_id", "=", userId)
    .execute();
  const teamRoles = new Map(memberships.map(({ team_id, role }) => [team_id, role]));
  return {
    ...{ kind: "personal", credentialId: "", userId, role: person.role },
    ...{ teamRoles, teamIds: [...teamRoles.keys()], isActive: person.deactivated_at === null },
  };
}

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
