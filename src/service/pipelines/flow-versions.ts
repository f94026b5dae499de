import type { Kysely } from "kysely";
import { batched } from "../store/batch.ts";
import type { Database } from "../store/schema.ts";
import { definition } from "./definition.ts";
import { type Plan, planFlow } from "./plan.ts";

/** What flows were when runs of them started. */
export interface FlowVersions {
  /** The plan of that version. @returns null where there is none, or this release cannot read it */
  plan(hash: string): Promise<Plan | null>;
}

/** Plans that a process remembers: a version never changes. */
const maxPlans = 200;

export function createFlowVersions(db: Kysely<Database>): FlowVersions {
  const plans = new Map<string, Plan>();
  const find = batched(async (hashes: readonly string[]) => {
    const rows = await db
      .selectFrom("flow_versions")
      .selectAll()
      .where((where) => where("hash", "=", where.fn.any(where.val(hashes))))
      .execute();
    return new Map(rows.map((row) => [row.hash, row.definition]));
  });
  return {
    async plan(hash) {
      const known = plans.get(hash);
      if (known !== undefined) return known;
      const read = definition.safeParse(await find(hash));
      if (!read.success) return null;
      const plan = planFlow(read.data);
      plans.set(hash, plan);
      for (const oldest of plans.keys()) {
        if (plans.size <= maxPlans) break;
        plans.delete(oldest);
      }
      return plan;
    },
  };
}
