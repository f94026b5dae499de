import { type Selectable, sql } from "kysely";
import type { Context } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import { storableText } from "../store/json.ts";
import { lockKeys } from "../store/lock-keys.ts";
import type { TeamsTable, UsersTable } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import { inState } from "./admin-view.ts";

/**
 * Changes people or teams, one such change at a time in all processes, and none while the workspace's file is taken over: so
 * two admins cannot each take the other's role, and nobody gets an address between the look and the change.
 */
export async function changing<T>({ store }: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await store.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(lockKeys.loading)})`.execute(tx);
    return await work(tx);
  });
}

/**
 * The row cannot change meanwhile, and others may still refer to it: who changes an agent does, and would wait for whoever hands
 * it over, who waits for the agent.
 * @throws ServiceError `not_found`
 */
export async function lockedPerson(tx: Tx, id: string, param = "user_id"): Promise<Selectable<UsersTable>> {
  const row = await tx
    .selectFrom("users")
    .selectAll()
    .where("id", "=", storableText(id))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw noPerson(param);
  return row;
}

/** @throws ServiceError `not_found` */
export async function lockedTeam(tx: Tx, id: string): Promise<Selectable<TeamsTable>> {
  const row = await tx
    .selectFrom("teams")
    .selectAll()
    .where("id", "=", storableText(id))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw noTeam();
  return row;
}

/** As entries of the audit log call them. */
export const nameOfPerson = ({ first_name, last_name, email }: Selectable<UsersTable>) =>
  [first_name, last_name].filter(Boolean).join(" ") || email;

/** Says that a person is not there, or not for the caller. @param param what named them */
export const noPerson = (param = "user_id") =>
  new ServiceError("not_found", { message: "There is no such person.", param });
/** The same of a team. */
export const noTeam = () =>
  new ServiceError("not_found", { message: "There is no such team.", param: "team_id" });

/**
 * What the workspace's file says is changed there.
 * @param fields those that would really change
 * @throws ServiceError `managed_by_file` naming the first of them that the file says
 */
export function checkManaged(managed: readonly string[], fields: readonly string[]): void {
  const field = fields.find((each) => managed.includes(each));
  if (field === undefined) return;
  throw new ServiceError("managed_by_file", {
    message: `The workspace's file wheelhouse.yaml says the ${field.replace("_", " ")}: change it there.`,
    param: field,
  });
}

/** @throws ServiceError `version_conflict` where it was changed since it was read */
export function checkVersion(current: number, read: number | null | undefined): void {
  if (read != null && read !== current)
    throw new ServiceError("version_conflict", { param: "version", details: { current_version: current } });
}

/** The fields of a change that differ from what is there, with their new values. */
export function differing<T extends object>(
  row: T,
  wanted: { readonly [K in keyof T]?: T[K] | null | undefined },
) {
  return (Object.keys(wanted) as (keyof T & string)[]).filter(
    (field) => wanted[field] != null && wanted[field] !== row[field],
  );
}

/** @throws ServiceError `email_taken` */
export async function checkEmail(tx: Tx, email: string, ownId: string | null): Promise<void> {
  const other = await tx
    .selectFrom("users")
    .select("id")
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();
  if (other !== undefined && other.id !== ownId) throw new ServiceError("email_taken", { param: "email" });
}

/** @throws ServiceError `last_admin` where nobody else is an active admin, whom the identity provider's groups do not keep out */
export async function checkLastAdmin(tx: Tx, id: string, param: string): Promise<void> {
  const other = await tx
    .selectFrom("users")
    .select("id")
    .where("role", "=", "admin")
    .where("id", "<>", id)
    .where(inState.active)
    .where("barred_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (other === undefined) throw new ServiceError("last_admin", { param });
}
