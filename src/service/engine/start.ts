import { type Kysely, sql } from "kysely";
import { toJson } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import { executeJob } from "./jobs.ts";
import type { NewExecution } from "./kind.ts";

/** Inserts a top-level execution and its job; in the caller's transaction where it is one. Nothing if the id is there. */
export async function start(db: Kysely<Database>, execution: NewExecution): Promise<void> {
  const { id, kind, subjectId, userId, teamId, input } = execution;
  await sql`
    with made as (
      insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, input)
      values (${id}, ${kind}, ${id}, 0, ${subjectId}, ${userId}, ${teamId}, ${toJson(input)})
      on conflict (id) do nothing returning id
    )
    select ${executeJob(sql`id`, "fresh")} from made
  `.execute(db);
}
