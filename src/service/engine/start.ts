import { type Kysely, sql } from "kysely";
import { toJson } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import { executeJob } from "./jobs.ts";
import type { NewExecution } from "./kind.ts";

/**
 * Inserts a top-level execution; in the caller's transaction where it is one. Nothing if the id is there.
 * @param by whose it is to take it up: the queue hands it to any worker; `self` says that this process does at once. Should
 * it die before, the sweep finds what nobody was given
 */
export async function start(
  db: Kysely<Database>,
  execution: NewExecution,
  by: "queue" | "self" = "queue",
): Promise<void> {
  const { id, kind, subjectId, userId, teamId, input } = execution;
  const made = sql`
      insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, input)
      values (${id}, ${kind}, ${id}, 0, ${subjectId}, ${userId}, ${teamId}, ${toJson(input)})
      on conflict (id) do nothing`;
  if (by === "self") await made.execute(db);
  else {
    await sql`with made as (${made} returning id) select ${executeJob(sql`id`, "fresh")} from made`.execute(
      db,
    );
  }
}
