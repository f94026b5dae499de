import type { Kysely } from "kysely";
import type { FoundFlow } from "../nodes/services.ts";
import type { Owned } from "../permission/owned.ts";
import { ownerMaySee, type RunOwner } from "../permission/run-owner.ts";
import { batched } from "../store/batch.ts";
import type { Database } from "../store/schema.ts";
import type { Definition } from "./definition.ts";
import type { FlowVersions } from "./flow-versions.ts";
import { writeRunInput } from "./run-input.ts";

/** A flow that is in the workspace. */
export interface Flow {
  readonly id: string;
  readonly name: string;
  /** The facts that decide who may use it. */
  readonly owner: Owned;
  /** Of its definition. */
  readonly version: string;
  readonly definition: Definition;
}

/** The flows of the workspace. */
export interface Flows {
  /**
   * As it is after the call; many at once share a query.
   * @returns null where there is none with this id
   * @throws when its definition was written by another release; never for what the loader wrote
   */
  find(id: string): Promise<Flow | null>;
}

/** The facts that decide who may use a flow. */
export function flowOwner(row: { readonly user_id: string; readonly team_id: string | null }): Owned {
  return { ownerId: row.user_id, teamId: row.team_id };
}

/** Rows are read anew each time; @param versions remembers the definitions */
export function createFlows(db: Kysely<Database>, versions: FlowVersions): Flows {
  const read = batched(async (ids: readonly string[]) => {
    const rows = await db
      .selectFrom("saved_items")
      .select(["id", "name", "user_id", "team_id", "version"])
      .where((where) => where("id", "=", where.fn.any(where.val(ids))))
      .where("removed_at", "is", null)
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  });
  return {
    async find(id) {
      const row = await read(id);
      if (row === undefined) return null;
      const version = await versions.find(row.version);
      if (version === null) throw new Error(`this release cannot read the flow ${id}`);
      const { name, version: hash } = row;
      return { id, name, owner: flowOwner(row), version: hash, definition: version.definition };
    },
  };
}

/**
 * Finds flows that a run or turn may start on its own, ready to be started: null where there is none, or its owner may
 * not use it.
 */
export function flowFinder(db: Kysely<Database>, flows: Flows) {
  return async (id: string, owner: RunOwner): Promise<FoundFlow | null> => {
    const flow = await flows.find(id);
    if (!flow || !(await ownerMaySee(db, owner, flow.owner))) return null;
    return { id, name: flow.name, startInput: (values) => writeRunInput(flow, values, "") };
  };
}
