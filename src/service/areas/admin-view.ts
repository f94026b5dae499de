import { type Kysely, type Selectable, sql } from "kysely";
import type { AdminPerson } from "../../contract/admin-people.ts";
import type { AdminTeam } from "../../contract/admin-teams.ts";
import { rightsOfRole } from "../../contract/roles.ts";
import { isInstallationAdmin, roleIn } from "../permission/roles.ts";
import { storableText } from "../store/json.ts";
import { anyIn } from "../store/prepared.ts";
import type { Database, TeamsTable, UsersTable } from "../store/schema.ts";
import type { Caller } from "./handler.ts";

type UserRow = Selectable<UsersTable>;

/** Whether somebody may sign in, and whether they ever did. */
export function personState(row: Pick<UserRow, "deactivated_at" | "invited_at" | "joined_at">) {
  if (row.deactivated_at !== null) return "deactivated" as const;
  return row.invited_at !== null && row.joined_at === null ? ("invited" as const) : ("active" as const);
}

/** The same as a condition of the database on `users`. */
export const inState = {
  active: sql<boolean>`users.deactivated_at is null and (users.invited_at is null or users.joined_at is not null)`,
  invited: sql<boolean>`users.deactivated_at is null and users.invited_at is not null and users.joined_at is null`,
  deactivated: sql<boolean>`users.deactivated_at is not null`,
};

/** What people are listed by, of `users`: the same order on every server, whatever its language. */
export const personNameKey = sql<string>`(lower(users.first_name || ' ' || users.last_name) collate "C")`;

/** People with what answers say of them beyond their row. */
export async function showPeople(db: Kysely<Database>, rows: readonly UserRow[]): Promise<AdminPerson[]> {
  const ids = rows.map(({ id }) => id);
  const teams = await db
    .selectFrom("team_members")
    .innerJoin("teams", "teams.id", "team_members.team_id")
    .select(["team_members.user_id", "teams.id", "teams.name", "team_members.role", "given_by_groups"])
    .where("team_members.user_id", "=", anyIn(ids))
    .where("teams.retired_at", "is", null)
    .orderBy("teams.name")
    .orderBy("teams.id")
    .execute();
  const seen = await db
    .selectFrom("credentials")
    .select((eb) => ["user_id", eb.fn.max("last_used_at").as("at")])
    .where("user_id", "=", anyIn(ids))
    .groupBy("user_id")
    .execute();
  const seenAt = new Map(seen.map(({ user_id, at }) => [user_id, at]));
  return rows.map((row) => ({
    ...{ id: row.id, first_name: row.first_name, last_name: row.last_name, email: row.email },
    ...{ plan: row.plan, role: row.role, role_by_groups: row.role_by_groups, state: personState(row) },
    teams: teams.flatMap(({ user_id, id, name, role, given_by_groups: by_groups }) =>
      user_id === row.id ? [{ id, name, role, by_groups }] : [],
    ),
    managed: [...row.managed],
    last_seen_at: seenAt.get(row.id)?.toISOString() ?? null,
    deactivated_at: row.deactivated_at?.toISOString() ?? null,
    version: row.version,
  }));
}

/** One of them. */
export async function showAdminPerson(db: Kysely<Database>, row: UserRow): Promise<AdminPerson> {
  const [person] = await showPeople(db, [row]);
  if (person === undefined) throw new Error(`the person ${row.id} was not shown`);
  return person;
}

/** Teams as this caller sees them. */
export async function showTeams(
  db: Kysely<Database>,
  caller: Caller,
  rows: readonly Selectable<TeamsTable>[],
): Promise<AdminTeam[]> {
  const counts = await db
    .selectFrom("team_members")
    .innerJoin("users", "users.id", "team_members.user_id")
    .select((eb) => ["team_id", eb.fn.countAll<string>().as("count")])
    .where("team_id", "=", anyIn(rows.map(({ id }) => id)))
    .where("users.deactivated_at", "is", null)
    .groupBy("team_id")
    .execute();
  const countOf = new Map(counts.map(({ team_id, count }) => [team_id, Number(count)]));
  return rows.map((row) => {
    const role = roleIn(caller, row.id);
    const own = role === null ? [] : rightsOfRole[role];
    return {
      ...{ id: row.id, name: row.name, plan: row.plan, role, managed: [...row.managed] },
      member_count: countOf.get(row.id) ?? 0,
      rights: isInstallationAdmin(caller) ? [...new Set([...own, "manage" as const])] : [...own],
      retired_at: row.retired_at?.toISOString() ?? null,
      version: row.version,
    };
  });
}

/** What is looked for in names and addresses: a part of them, in any case. */
export function holds(column: ReturnType<typeof sql>, part: string) {
  return sql<boolean>`strpos(lower(${column}), lower(${storableText(part)}::text)) > 0`;
}
