import type { World } from "./world.ts";

/** What has gone wrong with what was deleted: that it was not over, or that lines of its log are left. */
export async function brokenRemovals({ database }: World): Promise<string[]> {
  const early = [...(await database.removed())].filter(([, wasOver]) => !wasOver);
  const { rows } = await database.fresh.store.pool.query<{ id: string }>(`
    select distinct execution_id as id from log_lines
     where not exists (select from executions where id = log_lines.execution_id)
       and not exists (select from removed_logs removed where removed.execution_id = log_lines.execution_id)`);
  return [
    ...early.map(([id]) => `${id} was deleted before it was over`),
    ...rows.map(({ id }) => `${id} is deleted, and its log is there`),
  ];
}

/** What is there of a run or a conversation that was deleted. */
export async function leftOf({ database }: World, id: string): Promise<string[]> {
  const { rows } = await database.fresh.store.pool.query<{ what: string }>(
    `select 'execution ' || id as what from executions where id = $1 or root_id = $1 or subject_id = $1
     union all
     select 'message ' || seq from messages where interaction_id = $1
     union all
     select 'question ' || id from approvals where interaction_id = $1`,
    [id],
  );
  return rows.map(({ what }) => `${id} is deleted, and ${what} is there`);
}
