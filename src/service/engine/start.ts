import { type Kysely, type RawBuilder, sql } from "kysely";
import { type JsonValue, toJson } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import { type Claimant, lease } from "./claim.ts";
import { limits } from "./engine-error.ts";
import { type EndedStart, endedStartRows } from "./insert-ended.ts";
import type { NewExecution } from "./kind.ts";
import { type ClaimedRow, claimedColumns } from "./large-input.ts";
import { notifyReady } from "./signals.ts";
import type { SpeculativeEnd } from "./speculation.ts";

/**
 * Inserts a top-level execution; in the caller's transaction where it is one. Nothing if the id is there.
 * @param by whose it is to take it up: any worker's, as it is ready in the queue; `self` says that this process does at once.
 * Should it die before, it is ready a moment later
 * @param rows written with it
 */
export async function start(
  db: Kysely<Database>,
  execution: NewExecution,
  by: "queue" | "self" = "queue",
  rows: readonly RowsOfStart[] = [],
): Promise<void> {
  const { id, kind, subjectId, userId, teamId, input } = execution;
  const readyIn = sql.lit(by === "self" ? "2 s" : "0 s");
  const made = sql`
      insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, input, queued_at)
      values (${id}, ${kind}, ${id}, 0, ${subjectId}, ${userId}, ${teamId}, ${toJson(input)}, now() + ${readyIn}::interval)
      on conflict (id) do nothing`;
  const more = rows.map(({ write, row }) => write([row]));
  if (by === "self") await (more.length === 0 ? made : sql`with ${sql.join(more)} ${made}`).execute(db);
  else {
    const written = sql.join([sql`made as (${made} returning limit_key, user_id)`, ...more]);
    await sql`with ${written} select ${notifyReady} from made`.execute(db);
  }
}

/** Leaves what was started for `self` to any worker after all; nothing where somebody has it. */
export async function handOutStarted(db: Kysely<Database>, id: string): Promise<void> {
  await sql`
    with given as (
      update executions set queued_at = now() where id = ${id} and state = 'queued' returning limit_key, user_id
    )
    select ${notifyReady} from given`.execute(db);
}

/** Rows that are written in the statement of a start, or not at all. */
export interface RowsOfStart {
  /**
   * Common table expressions that write those of many starts; the same function for all that may go together. Their names
   * are none of those in `endedStartRows`.
   */
  readonly write: (rows: readonly JsonValue[]) => RawBuilder<unknown>;
  readonly row: JsonValue;
}

/** A start that goes together with others. */
export interface Start {
  readonly execution: NewExecution;
  readonly rows: readonly RowsOfStart[];
  /** Whether this process has room for it; else the queue hands it out. */
  readonly isTaken: boolean;
  /** Its end, where it has one already. */
  end(): SpeculativeEnd | undefined;
}

/** What was made of a start: `ended` as it was given, else its row, `running` where it is claimed. */
export type Made = ClaimedRow | "ended";

/**
 * Inserts top-level executions in one statement. Those that are taken begin claimed by this process, as far as their teams
 * have places. What has ended already is never seen before its end, and takes no place.
 * @returns what was made, by its start; nothing for an id that is there
 */
export async function startTogether(
  db: Kysely<Database>,
  starts: readonly Start[],
  { owner, placed }: Pick<Claimant, "owner" | "placed">,
): Promise<Map<Start, Made>> {
  // Of one id the first.
  const first = new Map<string, Start>();
  for (const start of starts) if (!first.has(start.execution.id)) first.set(start.execution.id, start);
  const ended: EndedStart[] = [];
  const fresh: JsonValue[] = [];
  for (const { execution, isTaken, end } of first.values()) {
    const { id, kind, input, subjectId, userId, teamId } = execution;
    const given = { id, kind, input, subject_id: subjectId, user_id: userId, team_id: teamId };
    const how = end();
    if (how === undefined) fresh.push({ ...given, is_taken: isTaken });
    else ended.push({ given, end: how });
  }
  const made = sql`start_executions(${toJson(fresh)}::json, ${owner}, ${placed}, ${lease}, ${sql.lit(limits.running)}) made`;
  const written = [...(ended.length > 0 ? [endedStartRows(ended)] : []), ...rowsOf(starts)];
  const { rows } = await sql<ClaimedRow & { readonly ended_id?: string | null }>`
    ${written.length > 0 ? sql`with ${sql.join(written)}` : sql``} ${madeOf(made, ended.length, fresh.length)}
  `.execute(db);
  const byId = new Map<string, Made>(
    rows.map((row) => [row.ended_id ?? row.id, row.ended_id == null ? row : "ended"]),
  );
  return new Map(
    [...first].flatMap(([id, start]) => {
      const what = byId.get(id);
      return what === undefined ? [] : [[start, what] as const];
    }),
  );
}

function madeOf(made: RawBuilder<unknown>, ended: number, fresh: number): RawBuilder<unknown> {
  if (ended === 0) return sql`select ${claimedColumns(sql`made`)} from ${made}`;
  if (fresh === 0) return sql`select id as ended_id from ended`;
  return sql`select ended.id as ended_id, ${claimedColumns(sql`made`)} from ended full join ${made} on made.id = ended.id`;
}

/** CTEs of all rows that were asked for. */
function rowsOf(starts: readonly Start[]): RawBuilder<unknown>[] {
  const byWriter = new Map<RowsOfStart["write"], JsonValue[]>();
  for (const { write, row } of starts.flatMap(({ rows }) => rows)) {
    const written = byWriter.get(write);
    if (written === undefined) byWriter.set(write, [row]);
    else written.push(row);
  }
  return [...byWriter].map(([write, rows]) => write(rows));
}
