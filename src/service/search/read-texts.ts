import { type Kysely, type SqlBool, sql } from "kysely";
import type { StoredMessage } from "../agents/conversation.ts";
import type { StoredPart } from "../agents/parts.ts";
import type { JsonValue } from "../json.ts";
import { type LogLine, linesOf, mostLines } from "../store/log-rows.ts";
import type { Database } from "../store/schema.ts";
import type { RunTexts } from "./places.ts";

/** Lines of one run, from the first to the last with both. */
export interface LineRange {
  readonly run_id: string;
  readonly first_line: number;
  readonly last_line: number;
}

/** What these runs say beside their logs, by id. */
export async function readRuns(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RunTexts>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("executions")
    .select(["id", "error"])
    .select([
      sql<string>`coalesce(input ->> 'name', '')`.as("name"),
      sql<JsonValue>`input -> 'inputs'`.as("inputs"),
      // As in what `GET /get_pl_run` answers.
      sql<JsonValue>`case when state = 'done' then result -> 'outputs' end`.as("outputs"),
      sql<
        string[]
      >`array(select name from run_files where execution_id = executions.id order by created_at, name)`.as(
        "files",
      ),
    ])
    .where(sql<SqlBool>`id = any(${ids}::text[])`)
    .execute();
  return new Map(rows.map(({ id, ...texts }) => [id, texts]));
}

/** The lines of these ranges, by run and in order. */
export async function readLines(
  db: Kysely<Database>,
  ranges: readonly LineRange[],
): Promise<(LogLine & { readonly run_id: string })[]> {
  if (ranges.length === 0) return [];
  const { rows } = await sql<LogLine & LineRange>`
    select wanted.*, log_lines.seq, log_lines.text
      from unnest(${ranges.map(({ run_id }) => run_id)}::text[], ${ranges.map(({ first_line }) => first_line)}::integer[],
                  ${ranges.map(({ last_line }) => last_line)}::integer[]) wanted (run_id, first_line, last_line)
      join log_lines on log_lines.execution_id = wanted.run_id
       and log_lines.seq between wanted.first_line and wanted.last_line + ${sql.lit(mostLines - 1)}
     order by wanted.run_id, wanted.first_line, log_lines.seq`.execute(db);
  return rows.flatMap(({ run_id, first_line, last_line, ...row }) =>
    linesOf(row)
      .filter(({ seq }) => seq >= first_line && seq <= last_line)
      .map((line) => ({ run_id, ...line })),
  );
}

/** Which message: its conversation, and its number in it. */
export interface MessageKey {
  readonly interaction_id: string;
  readonly message_seq: number;
}

/** A message with what it belongs to. */
export type KeyedMessage = MessageKey & Pick<StoredMessage, "id" | "role" | "content" | "parts">;

/** Those of them that are there, with their parts. */
export async function readKeyedMessages(
  db: Kysely<Database>,
  keys: readonly MessageKey[],
): Promise<KeyedMessage[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<KeyedMessage & { readonly parts: readonly StoredPart[] }>`
    select messages.interaction_id, messages.seq as message_seq, messages.id, messages.role, messages.content,
           coalesce((select json_agg(part order by seq) from message_parts
                      where interaction_id = messages.interaction_id and message_seq = messages.seq), '[]') as parts
      from unnest(${keys.map(({ interaction_id }) => interaction_id)}::text[],
                  ${keys.map(({ message_seq }) => message_seq)}::integer[]) with ordinality wanted (interaction_id, seq, place)
      join messages on messages.interaction_id = wanted.interaction_id and messages.seq = wanted.seq
     order by place`.execute(db);
  return rows;
}
