import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
} from "kysely";
import { type ArtifactFacts, artifactRoles } from "../permission/artifacts.ts";
import type { Database } from "../store/schema.ts";
import type { ArtifactsTable } from "../store/schema-agents.ts";
import type { Caller } from "./handler.ts";

type ArtifactRow = Selectable<ArtifactsTable>;

/** One artifact with everybody who was given access to it. */
export interface LoadedArtifact {
  readonly artifact: ArtifactRow;
  readonly facts: ArtifactFacts;
  /** By e-mail, of known and unknown people, oldest grant first. */
  readonly people: readonly { readonly email: string; readonly role: string }[];
}

/** @param lock keep it as it is until the transaction ends, for a change. Null when there is none or it was deleted. */
export async function loadArtifact(
  db: Kysely<Database>,
  id: string,
  lock: boolean,
): Promise<LoadedArtifact | null> {
  const query = db.selectFrom("artifacts").selectAll().where("id", "=", id).where("removed_at", "is", null);
  const artifact = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (artifact === undefined) return null;
  const grants = await db
    .selectFrom("artifact_grants")
    .leftJoin("users", (join) => join.on(sql<SqlBool>`kind = 'person' and lower(users.email) = grantee`))
    .select([
      "artifact_grants.kind",
      "artifact_grants.grantee",
      "artifact_grants.role",
      "users.id as user_id",
    ])
    .where("artifact_id", "=", id)
    .orderBy("artifact_grants.created_at")
    .orderBy("artifact_grants.grantee")
    .execute();
  const people = grants.filter((grant) => grant.kind === "person");
  const teams = grants.filter((grant) => grant.kind === "team");
  return {
    artifact,
    people: people.map(({ grantee, role }) => ({ email: grantee, role })),
    facts: {
      creatorId: artifact.user_id,
      teamId: artifact.team_id,
      people: people.flatMap(({ user_id, role }) => (user_id === null ? [] : [{ userId: user_id, role }])),
      teams: teams.map(({ grantee, role }) => ({ teamId: grantee, role })),
      organization: artifact.organization_role,
    },
  };
}

type Artifacts = ExpressionBuilder<Database, "artifacts">;

/** The rows for which `artifactRole` gives the caller a role, as one condition of a list. */
export function seenArtifacts(eb: Artifacts, caller: Caller): Expression<SqlBool> {
  const teams = caller.kind === "team" ? [caller.teamId] : [...caller.teamIds];
  const conditions: Expression<SqlBool>[] = [];
  if (teams.length > 0) {
    conditions.push(eb("artifacts.team_id", "in", teams));
    conditions.push(granted(eb, "team", sql`any(${teams})`));
  }
  if (caller.kind !== "team") {
    conditions.push(eb("artifacts.user_id", "=", caller.userId));
    conditions.push(granted(eb, "person", sql`(select lower(email) from users where id = ${caller.userId})`));
    conditions.push(eb("artifacts.organization_role", "in", artifactRoles));
  }
  return eb.or(conditions);
}

function granted(eb: Artifacts, kind: "person" | "team", to: Expression<unknown>): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom("artifact_grants")
      .select("artifact_id")
      .whereRef("artifact_id", "=", "artifacts.id")
      .where("kind", "=", kind)
      .where("role", "in", artifactRoles)
      .where(sql<SqlBool>`grantee = ${to}`),
  );
}
