import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { isRestorable } from "../files/purge-deleted.ts";
import { teamsOf } from "../permission/actor.ts";
import type { ArtifactFacts } from "../permission/artifacts.ts";
import type { Database } from "../store/schema.ts";
import type { ArtifactsTable } from "../store/schema-agents.ts";
import type { Tx } from "../store/store.ts";
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
  return artifact === undefined ? null : withGrants(db, artifact);
}

/** One that was deleted and can be restored still, locked until the transaction ends; else null. */
export async function loadDeletedArtifact(tx: Tx, id: string): Promise<LoadedArtifact | null> {
  const artifact = await tx
    .selectFrom("artifacts")
    .selectAll()
    .where("id", "=", id)
    .where(isRestorable("removed_at"))
    .forUpdate()
    .executeTakeFirst();
  return artifact === undefined ? null : withGrants(tx, artifact);
}

/** One that was deleted and is not yet removed for good; null when there is none, or it is there. */
export async function loadRemovedArtifact(
  db: Kysely<Database>,
  id: string,
): Promise<Pick<LoadedArtifact, "artifact" | "facts"> | null> {
  const artifact = await db
    .selectFrom("artifacts")
    .selectAll()
    .where("id", "=", id)
    .where("removed_at", "is not", null)
    .executeTakeFirst();
  return artifact === undefined ? null : withGrants(db, artifact);
}

async function withGrants(db: Kysely<Database>, artifact: ArtifactRow): Promise<LoadedArtifact> {
  const grants = await db
    .selectFrom("artifact_grants")
    .leftJoin("users", (join) => join.on(sql<SqlBool>`kind = 'person' and lower(users.email) = grantee`))
    .select([
      "artifact_grants.kind",
      "artifact_grants.grantee",
      "artifact_grants.role",
      "users.id as user_id",
    ])
    .where("artifact_id", "=", artifact.id)
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

/**
 * The `artifact_audience` rows that are the caller's: those of the artifacts for which `artifactRole` gives a role, as a
 * list reads them. A person's own address is looked up, as a credential does not say it.
 */
export function audiencesOf(caller: Caller): readonly RawBuilder<string>[] {
  const teams = [...new Set(teamsOf(caller))].map((id) => sql<string>`${`team:${id}`}`);
  if (caller.kind === "team") return teams;
  const email = sql<string>`(select 'email:' || lower(email) from users where id = ${caller.userId})`;
  return [sql`${`user:${caller.userId}`}`, sql`'everybody'`, email, ...teams];
}

/** Whether the caller may open the artifact with this id: the same as `artifactRole`, as a condition of the database. */
export function readableArtifact(caller: Caller, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from artifact_audience seen
    where seen.artifact_id = ${id} and seen.audience = any(array[${sql.join([...audiencesOf(caller)])}]::text[]))`;
}
