import { type Kysely, type Selectable, sql } from "kysely";
import { rightsOfRole, type TeamRight, type TeamRole, teamRoles } from "../../contract/roles.ts";
import type { Database, UsersTable } from "../store/schema.ts";
import type { ApprovalsTable } from "../store/schema-approvals.ts";
import { askers, isOperator, type Operators } from "./approvals.ts";

type Person = Selectable<UsersTable>;

/** The roles that have this right. */
const rolesWith = (right: TeamRight) => teamRoles.filter((role) => rightsOfRole[role].includes(right));
/** Who only looks on in a team answers nothing of it. */
const answering = rolesWith("operate");

/** Whom a question's rule means now: `people` are at most fifty of them. The same people that `mayAnswer` means. */
export async function answerersOf(
  db: Kysely<Database>,
  operators: Operators,
  row: Pick<Selectable<ApprovalsTable>, "who" | "people" | "user_id" | "team_id" | "agent_id" | "flow_id">,
): Promise<{ readonly people: readonly Person[]; readonly count: number }> {
  const all = await peopleOf(db, operators, row);
  return { people: all.slice(0, 50), count: all.length };
}

async function peopleOf(
  db: Kysely<Database>,
  operators: Operators,
  { who, people, user_id, team_id, agent_id, flow_id }: Parameters<typeof answerersOf>[2],
): Promise<readonly Person[]> {
  if (who === "operators") return team_id === null ? [] : await operatorsOf(db, operators, team_id);
  if (who === "person") {
    const members = team_id === null ? null : await membersOf(db, team_id);
    const person =
      members ??
      (await db
        .selectFrom("users")
        .selectAll()
        .where("id", "=", user_id ?? "")
        .execute());
    return person.filter(({ id }) => id === user_id);
  }
  const candidates = await candidatesOf(db, { agentId: agent_id, flowId: flow_id });
  return candidates.filter(({ id }) => people.includes(id));
}

/** The members of a team who answer for it, by name: whose role lets them operate, of those whom the workspace names. */
export async function operatorsOf(
  db: Kysely<Database>,
  operators: Operators,
  teamId: string,
): Promise<readonly Person[]> {
  return (await membersOf(db, teamId)).filter(({ id }) => isOperator(operators, teamId, id));
}

/** The members of a team whose role lets them edit for it, by name. */
export async function editorsOf(db: Kysely<Database>, teamId: string): Promise<readonly Person[]> {
  return await members(db, teamId, rolesWith("edit")).execute();
}

/** Whom an agent or flow may name: the members of its team, or its owner and all who share a team with them. */
export async function candidatesOf(
  db: Kysely<Database>,
  { agentId = null, flowId = null }: { readonly agentId?: string | null; readonly flowId?: string | null },
): Promise<readonly Person[]> {
  return await db
    .selectFrom("users")
    .innerJoin(askers(sql`${agentId}`, sql`${flowId}`).as("asker"), (join) => join.onTrue())
    .selectAll("users")
    .where(
      sql<boolean>`case when asker.team_id is not null
        then exists (select from active_members m where m.user_id = users.id and m.team_id = asker.team_id
                        and m.role = any(${answering}::text[]))
        else users.id = asker.owner_id or exists (
          select from active_members m join active_members o on o.team_id = m.team_id
           where m.user_id = users.id and m.role = any(${answering}::text[]) and o.user_id = asker.owner_id) end`,
    )
    .orderBy("users.first_name")
    .orderBy("users.id")
    .execute();
}

const membersOf = (db: Kysely<Database>, teamId: string): Promise<readonly Person[]> =>
  members(db, teamId, answering).execute();

function members(db: Kysely<Database>, teamId: string, roles: readonly TeamRole[]) {
  return db
    .selectFrom("users")
    .innerJoin("active_members", "active_members.user_id", "users.id")
    .selectAll("users")
    .where("active_members.team_id", "=", teamId)
    .where("active_members.role", "in", roles)
    .orderBy("users.first_name")
    .orderBy("users.id");
}
