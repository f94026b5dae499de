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

export function createFlowVersions(db: Kysely<Database>): FlowVersions {
  const versions = new Map<string, Promise<FlowVersion | null>>();
  const findDefinition = batched(async (hashes: readonly string[]) => {
    const rows = await db
      .selectFrom("flow_versions")
      .selectAll()
      .where((where) => where("hash", "=", where.fn.any(where.val(hashes))))
      .execute();
    return new Map(rows.map((row) => [row.hash, row.definition]));
  });
  const read = async (hash: string) => {
    const { success, data } = definition.safeParse(await findDefinition(hash));
    return success ? { definition: data, plan: await planFlow(data) } : null;
  };
  return {
    async find(hash) {
      const known = versions.get(hash);
      if (known !== undefined) return known;
      const reading = read(hash);
      versions.set(hash, reading);
      for (const oldest of versions.keys()) {
        if (versions.size <= maxVersions) break;
        versions.delete(oldest);
      }
      let version: FlowVersion | null = null;
      try {
        version = await reading;
      } finally {
        // It may be there, or be readable, the next time.
        if (version === null) versions.delete(hash);
      }
      return version;
    },
  };
}
