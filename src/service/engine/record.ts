import { type Kysely, sql } from "kysely";
import { storableText } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import { Fenced, LimitError, limits } from "./engine-error.ts";

/** One worker's hold on an execution: whoever claims it next has the next epoch. */
export interface Claim {
  readonly id: string;
  readonly epoch: number;
}

/**
 * Appends lines to the log, if the claim still holds.
 * @throws Fenced, LimitError
 */
export async function appendLog(
  db: Kysely<Database>,
  { id, epoch }: Claim,
  lines: readonly string[],
): Promise<void> {
  if (lines.length === 0) return;
  const texts = lines.map(storableText);
  const result = await sql<{ held: number; lines_full: boolean; bytes_full: boolean }>`
    with held as (
      select ${overLines(texts)} as lines_full, ${overBytes(texts)} as bytes_full
        from executions where id = ${id} and epoch = ${epoch} and state = 'running' for no key update
    ), counted as (
      update executions set revision = revision + 1, ${countLines(texts)}
       where id = ${id} and exists (select from held where not (lines_full or bytes_full)) returning id, log_count
    ), ${writtenLines(texts)}
    select count(*)::integer as held, bool_or(lines_full) as lines_full, bool_or(bytes_full) as bytes_full from held
  `.execute(db);
  const row = result.rows[0];
  if (row?.held !== 1) throw new Fenced(id);
  if (row.lines_full) throw new LimitError("log_lines");
  if (row.bytes_full) throw new LimitError("log_bytes");
}

/** For the SET of an update of executions: counts the lines in the statement that writes them, so there are no gaps. */
export const countLines = (texts: readonly string[]) =>
  sql`log_count = log_count + ${texts.length}, log_bytes = log_bytes + ${bytesOf(texts)}`;

/** A CTE that writes the lines of each row of the CTE `counted (id, log_count)`. */
export const writtenLines = (texts: readonly string[]) => sql`written as (
      insert into log_lines (execution_id, seq, text)
      select counted.id, counted.log_count - ${texts.length} + line.number, line.text
        from counted, unnest(${texts}::text[]) with ordinality as line (text, number)
    )`;

const overLines = (texts: readonly string[]) =>
  sql`log_count + ${texts.length} > ${sql.lit(limits.logLines)}`;
const overBytes = (texts: readonly string[]) =>
  sql`log_bytes + ${bytesOf(texts)} > ${sql.lit(limits.logBytes)}`;

/** How many bytes lines have together, in UTF-8. */
export function bytesOf(texts: readonly string[]): number {
  let bytes = 0;
  for (const text of texts) bytes += Buffer.byteLength(text);
  return bytes;
}
