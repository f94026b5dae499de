import type { Kysely, Selectable } from "kysely";
import type { Caller } from "../areas/handler.ts";
import { maySee, type Owned } from "../permission/owned.ts";
import type { Database, SavedItemsTable } from "../store/schema.ts";
import { type Definition, definition } from "./definition.ts";

export type FlowRow = Selectable<SavedItemsTable>;

/** The facts that decide who may use a flow. */
export function flowOwner(row: Pick<FlowRow, "user_id" | "team_id">): Owned {
  return { ownerId: row.user_id, teamId: row.team_id };
}

/** A flow that is still in the workspace. @returns null where there is none with this id */
export async function findFlow(db: Kysely<Database>, id: string): Promise<FlowRow | null> {
  const row = await db
    .selectFrom("saved_items")
    .selectAll()
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** The nodes of a stored flow. @throws when it was written by another version; never for what the loader wrote */
export function definitionOf(row: FlowRow): Definition {
  return definition.parse(row.definition);
}

/** Whose an execution is, as it was started. */
export interface RunOwner {
  readonly userId: string | null;
  readonly teamId: string | null;
}

/**
 * A flow that a run or turn may start on its own: what its user may see, or what belongs to its team.
 * @returns null where there is none, or its owner may not use it
 */
export async function findFlowFor(
  db: Kysely<Database>,
  id: string,
  owner: RunOwner,
): Promise<FlowRow | null> {
  const row = await findFlow(db, id);
  if (!row) return null;
  for (const caller of await callersOf(db, owner)) if (maySee(caller, flowOwner(row))) return row;
  return null;
}

/** The owner of an execution as those callers that may do what it may do. */
async function callersOf(db: Kysely<Database>, { userId, teamId }: RunOwner): Promise<Caller[]> {
  const callers: Caller[] = [];
  if (teamId !== null) callers.push({ kind: "team", credentialId: "", teamId, memberIds: [] });
  if (userId !== null) {
    const memberships = await db
      .selectFrom("team_members")
      .select("team_id")
      .where("user_id", "=", userId)
      .execute();
    const teamIds = memberships.map(({ team_id }) => team_id);
    callers.push({ kind: "personal", credentialId: "", userId, teamIds });
  }
  return callers;
}
