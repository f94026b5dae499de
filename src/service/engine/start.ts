import { type Kysely, type RawBuilder, sql } from "kysely";
import { type JsonValue, toJson } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import { type Claimant, lease } from "./claim.ts";
import { limits } from "./engine-error.ts";
import { executeJob } from "./jobs.ts";
import type { NewExecution } from "./kind.ts";
import type { ExecutionRow } from "./rows.ts";

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

/** Rows that are written in the statement of a start, or not at all. */
export interface RowsOfStart {
  /** Common table expressions that write those of many starts; the same function for all that may go together. */
  readonly write: (rows: readonly JsonValue[]) => RawBuilder<unknown>;
  readonly row: JsonValue;
}

/** A start that goes together with others. */
export interface Start {
  readonly execution: NewExecution;
  readonly rows: RowsOfStart | undefined;
  /** Whether this process has room for it; else the queue hands it out. */
  readonly isTaken: boolean;
}

/**
 * Inserts top-level executions in one statement. Those that are taken begin claimed by this process, as far as their teams
 * have places.
 * @returns what was made, by its start: `running` where it is claimed; nothing for an id that is there
 */
export async function startTogether(
  db: Kysely<Database>,
  starts: readonly Start[],
  { owner, placed }: Pick<Claimant, "owner" | "placed">,
): Promise<Map<Start, ExecutionRow>> {
  const given = starts.map(({ execution, isTaken }) => {
    const { id, kind, subjectId, userId, teamId, input } = execution;
    return { id, kind, input, subject_id: subjectId, user_id: userId, team_id: teamId, is_taken: isTaken };
  });
  const { rows } = await sql<ExecutionRow>`
    ${rowsOf(starts)} select * from start_executions(${toJson(given)}::json, ${owner}, ${placed}, ${lease}, ${sql.lit(limits.running)})
  `.execute(db);
  const made = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    starts.flatMap((start) => {
      const row = made.get(start.execution.id);
      return row ? [[start, row] as const] : [];
    }),
  );
}

function rowsOf(starts: readonly Start[]): RawBuilder<unknown> {
  const byWriter = new Map<RowsOfStart["write"], JsonValue[]>();
  for (const { rows } of starts) {
    if (rows !== undefined) byWriter.set(rows.write, [...(byWriter.get(rows.write) ?? []), rows.row]);
  }
  if (byWriter.size === 0) return sql``;
  return sql`with ${sql.join([...byWriter].map(([write, rows]) => write(rows)))}`;
}
