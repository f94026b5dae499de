import type { Kysely } from "kysely";
import type { RunDetails } from "../../contract/run.ts";
import { readableRuns } from "../permission/executions.ts";
import type { Database } from "../store/schema.ts";
import type { Caller } from "./handler.ts";
import { wireState } from "./run-rows.ts";
import { timestamp } from "./times.ts";

/** Of a list that is longer the newest. */
const mostShown = 10;

/** The run that went again as this one, and those as which this one went again, as far as the caller may see them. */
export async function readAgain(
  db: Kysely<Database>,
  caller: Caller,
  row: {
    readonly id: string;
    readonly origin_id: string | null;
    readonly from_node: string | null;
    readonly from_item: number | null;
  },
): Promise<Required<Pick<RunDetails, "again_of" | "again_by">>> {
  const origin =
    row.origin_id === null
      ? undefined
      : await db
          .selectFrom("executions")
          .select("id")
          .where("id", "=", row.origin_id)
          .where(readableRuns(caller))
          .executeTakeFirst();
  const later = await db
    .selectFrom("runs_again")
    .innerJoin("executions", "executions.id", "runs_again.run_id")
    .select(["executions.id", "executions.state", "executions.created_at", "executions.started_at"])
    .where("runs_again.origin_id", "=", row.id)
    .where(readableRuns(caller))
    .orderBy("executions.created_at", "desc")
    .orderBy("executions.id")
    .limit(mostShown)
    .execute();
  return {
    again_of: origin === undefined ? null : { run_id: origin.id, node: row.from_node, item: row.from_item },
    again_by: later.map((run) => ({
      run_id: run.id,
      state: wireState(run.state, run.started_at),
      created_ts: timestamp(run.created_at),
    })),
  };
}
