import { type Kysely, type RawBuilder, sql } from "kysely";
import { type LogWrite, logWrite } from "../store/log-rows.ts";
import type { Database } from "../store/schema.ts";
import type { Claim } from "./claim.ts";
import { Fenced, LimitError, limits } from "./engine-error.ts";

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
  const written = logWrite(lines);
  // No log has room for it: it need not go over the network.
  if (written.bytes > limits.logBytes) throw new LimitError("log_bytes");
  const result = await sql<{ held: number; lines_full: boolean; bytes_full: boolean }>`
    with held as (
      select ${overLines(written)} as lines_full, ${overBytes(written)} as bytes_full
        from executions where id = ${id} and epoch = ${epoch} and state = 'running' for no key update
    ), counted as (
      update executions set revision = revision + 1, ${countLines(written)}
       where id = ${id} and exists (select from held where not (lines_full or bytes_full)) returning id, log_count
    ), ${writtenLines(written)}
    select count(*)::integer as held, bool_or(lines_full) as lines_full, bool_or(bytes_full) as bytes_full from held
  `.execute(db);
  const row = result.rows[0];
  if (row?.held !== 1) throw new Fenced(id);
  if (row.lines_full) throw new LimitError("log_lines");
  if (row.bytes_full) throw new LimitError("log_bytes");
}

/** For the SET of an update of executions: counts the lines in the statement that writes them, so there are no gaps. */
export const countLines = ({ count, bytes }: LogWrite) =>
  sql`log_count = log_count + ${count}, log_bytes = log_bytes + ${bytes}`;

/** A CTE that writes the lines of each row of the CTE `counted (id, log_count)`. */
const writtenLines = ({ count, rows }: LogWrite) => sql`written as (
      insert into log_lines (execution_id, seq, text)
      select counted.id, counted.log_count - ${count} + line.last, line.text
        from counted, unnest(${rows.map(({ last }) => last)}::integer[], ${rows.map(({ text }) => text)}::text[])
               as line (last, text)
    )`;

/** A query for the beginning of the last line in the log of that execution, which has its date. @param id an expression */
export const lastLine = (id: RawBuilder<unknown>) => sql`
  select left(substring(text from '[^\n]*$'), 24) from log_lines where execution_id = ${id} order by seq desc limit 1`;

const overLines = ({ count }: LogWrite) => sql`log_count + ${count} > ${sql.lit(limits.logLines)}`;
const overBytes = ({ bytes }: LogWrite) => sql`log_bytes + ${bytes} > ${sql.lit(limits.logBytes)}`;
