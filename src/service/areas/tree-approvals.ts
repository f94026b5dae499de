import { sql } from "kysely";
import type { RunDetails } from "../../contract/run.ts";
import type { Context } from "../context.ts";
import type { Caller } from "./handler.ts";
import { isWaiting } from "./inbox-list.ts";
import { seenQuestions } from "./inbox-rows.ts";
import { showSummaries } from "./inbox-view.ts";

type AskedApprovals = NonNullable<RunDetails["approvals"]>;

/** What a run that has not ended waits for people to answer, also in what it has started, of what the caller may see. */
export async function approvalsInTree(
  context: Context,
  caller: Caller,
  runId: string,
): Promise<AskedApprovals> {
  const { rows } = await sql<{ id: string }>`
    with recursive tree as (
      select id from executions where id = ${runId}
      union all
      select child.id from tree join executions child on child.parent_id = tree.id where child.finished_at is null
    )
    select approvals.id from tree join approvals on approvals.execution_id = tree.id
     where approvals.state = 'waiting' and ${isWaiting}
     order by approvals.asked_at, approvals.id limit 100`.execute(context.store.db);
  const ids = rows.map(({ id }) => id);
  const summaries = await showSummaries(context, caller, await seenQuestions(context, caller, ids));
  return summaries.map(({ id, kind, title, run, asked_at }) => {
    return { inbox_id: id, kind, title, run_id: run?.run_id ?? null, node: run?.node ?? null, asked_at };
  });
}
