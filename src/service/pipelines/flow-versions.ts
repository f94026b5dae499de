import type { Kysely } from "kysely";
import { batched } from "../store/batch.ts";
import type { Database } from "../store/schema.ts";
import { type Definition, definition } from "./definition.ts";
import { type Plan, planFlow } from "./plan.ts";

/** What flows are, and were when runs of them started. */
export interface FlowVersions {
  /** That version. @returns null where there is none, or this release cannot read it */
  find(hash: string): Promise<FlowVersion | null>;
}

/** One version: it never changes. */
export interface FlowVersion {
  readonly definition: Definition;
  readonly plan: Plan;
}

/** Versions that a process remembers, read and planned. */
const maxVersions = 200;

/** One for each process: remembers those that were found last. */
export function createFlowVersions(db: Kysely<Database>): FlowVersions {
  const versions = new Map<string, Promise<FlowVersion>>();
  const findDefinition = batched(async (hashes: readonly string[]) => {
    const rows = await db
      .selectFrom("flow_versions")
      .selectAll()
      .where((where) => where("hash", "=", where.fn.any(where.val(hashes))))
      .execute();
    return new Map(rows.map((row) => [row.hash, row.definition]));
  });
  /** Those who ask meanwhile get the same; the database each of them asks for itself. */
  const plan = (hash: string, data: Definition) => {
    const planning = planFlow(data).then((plan) => ({ definition: data, plan }));
    versions.set(hash, planning);
    for (const oldest of versions.keys()) {
      if (versions.size <= maxVersions) break;
      versions.delete(oldest);
    }
    planning.catch(() => versions.get(hash) === planning && versions.delete(hash));
    return planning;
  };
  return {
    async find(hash) {
      const known = versions.get(hash);
      if (known !== undefined) return known;
      const read = definition.safeParse(await findDefinition(hash));
      if (!read.success) return null;
      return versions.get(hash) ?? plan(hash, read.data);
    },
  };
}
