import type { Kysely, Selectable } from "kysely";
import type { FoundFlow } from "../nodes/services.ts";
import type { Owned } from "../permission/owned.ts";
import { ownerMaySee, type RunOwner } from "../permission/run-owner.ts";
import type { Database, SavedItemsTable } from "../store/schema.ts";
import { type Definition, definition } from "./definition.ts";
import { writeRunInput } from "./run-input.ts";

export type { RunOwner };
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

/**
 * A flow that a run or turn may start on its own.
 * @returns null where there is none, or its owner may not use it
 */
export async function findFlowFor(
  db: Kysely<Database>,
  id: string,
  owner: RunOwner,
): Promise<FlowRow | null> {
  const row = await findFlow(db, id);
  return row && (await ownerMaySee(db, owner, flowOwner(row))) ? row : null;
}

/** The same as nodes and tools need it: ready to be started. */
export function flowFinder(db: Kysely<Database>) {
  return async (id: string, owner: RunOwner): Promise<FoundFlow | null> => {
    const row = await findFlowFor(db, id, owner);
    if (!row) return null;
    const flow = { name: row.name, version: row.version, definition: definitionOf(row) };
    return { id: row.id, name: row.name, startInput: (values) => writeRunInput(flow, values, "") };
  };
}
