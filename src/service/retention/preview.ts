import { type RawBuilder, sql } from "kysely";
import type { Store } from "../store/store.ts";
import { heldTrees } from "./held.ts";
import { isFreeConversation, isOldConversation } from "./remove-conversations.ts";
import { hasOldFiles } from "./remove-files.ts";
import { isOldRun } from "./remove-runs.ts";
import { deletesAny, type RetentionKind, type RetentionRules } from "./rules.ts";
import { oldSearchRows } from "./search-rows.ts";

/** What would go of one kind and team. */
export interface Preview {
  readonly kind: RetentionKind;
  /** Null: of people outside teams. */
  readonly teamId: string | null;
  readonly count: number;
  /** About: rows, logs, messages and files, without indexes. */
  readonly bytes: number;
  readonly oldest: Date;
}

interface Row extends Omit<Preview, "teamId"> {
  readonly team_id: string | null;
}

const sums = sql`count(*)::float8 as count, coalesce(sum(bytes), 0)::float8 as bytes, min(at) as oldest`;

/** The parts of what would go, each once: `kind`, `user_id`, `team_id`, `at`, `bytes`. */
function parts(rules: RetentionRules): RawBuilder<unknown>[] {
  const queries: RawBuilder<unknown>[] = [];
  if (deletesAny(rules, ["runs", "failed_runs"])) {
    queries.push(sql`
      select case e.state when 'failed' then 'failed_runs' else 'runs' end as kind, e.user_id, e.team_id,
             e.finished_at as at, below.bytes
        from executions e
       cross join lateral (
         select sum(pg_column_size(m.*) + m.log_bytes
                    + (select coalesce(sum(size), 0) from run_files f where f.execution_id = m.id)) as bytes
           from executions m where (m.id = e.id or m.parent_id is not null and m.root_id = e.id) and m.kind <> 'turn') below
       where e.finished_at is not null and ${isOldRun(rules)} and e.id not in (${heldTrees(null)})`);
  }
  if (deletesAny(rules, ["conversations"])) {
    queries.push(sql`
      select 'conversations', i.user_id, i.team_id, i.updated_at, pg_column_size(i.*) + said.bytes
        from interactions i
       cross join lateral (
         select coalesce(sum(pg_column_size(m.*)
                  + (select coalesce(sum(pg_column_size(p.*)), 0) from message_parts p
                      where p.interaction_id = m.interaction_id and p.message_seq = m.seq)), 0) as bytes
           from messages m where m.interaction_id = i.id) said
       where i.deleted_at is null and ${isOldConversation(rules)} and ${isFreeConversation(null)}`);
  }
  if (deletesAny(rules, ["run_files"])) {
    queries.push(sql`
      select 'run_files', e.user_id, e.team_id, e.finished_at, f.size
        from run_files f join executions e on e.id = f.execution_id
       where ${hasOldFiles(rules)} and e.root_id not in (${heldTrees(null)})`);
  }
  if (deletesAny(rules, ["search_index"])) {
    queries.push(sql`
      select 'search_index', user_id, team_id, ended_at, bytes from (${oldSearchRows(rules)}) searched`);
  }
  return queries;
}

/**
 * What would go now, by kind and team.
 * @param mine a condition on the columns `user_id` and `team_id` of `part`: whose things are counted
 */
export async function previewRetention(
  { db }: Pick<Store, "db">,
  rules: RetentionRules,
  mine: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<readonly Preview[]> {
  const found: Preview[] = [];
  for (const query of parts(rules)) {
    const { rows } = await sql<Row>`
      select kind, team_id, ${sums} from (${query}) part (kind, user_id, team_id, at, bytes)
       where ${mine} group by kind, team_id order by kind desc, team_id nulls first`.execute(db);
    found.push(...rows.map(({ team_id, ...row }) => ({ ...row, teamId: team_id })));
  }
  return found;
}
