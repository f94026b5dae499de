import { randomUUID } from "node:crypto";
import pino from "pino";
import type { Clock } from "../service/context.ts";
import { createEngine, type Engine } from "../service/engine/engine.ts";
import type { Execution, Kind } from "../service/engine/kind.ts";
import { readExecution } from "../service/engine/queries.ts";
import { handOutStarted } from "../service/engine/start.ts";
import { sweep } from "../service/engine/sweep.ts";
import type { Store } from "../service/store/store.ts";
import { isDatabaseUnavailable } from "../service/store/store-error.ts";
import { until } from "./until.ts";

/** An engine as a process of its own would have it; `work` has not been called. */
export function testEngine(
  store: Store,
  kinds: Readonly<Record<string, Kind>>,
  {
    concurrency = 4,
    logTo,
    // However busy this machine is: what may begin before its start is written does, the second time.
    quickMs = Number.POSITIVE_INFINITY,
    clock = { now: () => new Date() },
  }: {
    concurrency?: number;
    logTo?: ((line: string) => void) | undefined;
    quickMs?: number | undefined;
    clock?: Clock;
  } = {},
): Engine {
  return createEngine({
    store,
    kinds,
    concurrency,
    clock,
    log: logTo === undefined ? pino({ level: "silent" }) : pino({}, { write: logTo }),
    owner: randomUUID(),
    quickMs,
  });
}

/** Waits for the end of an execution. @returns it */
export async function ended(store: Store, id: string, ms?: number): Promise<Execution> {
  let found: Execution | undefined;
  await until(
    `the end of ${id}`,
    async () => {
      // A test may be about a database that is away now and then.
      found = await readExecution(store.db, id).catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) return undefined;
        throw error;
      });
      return found?.finishedAt != null;
    },
    ms,
  );
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
}

/**
 * As if whoever runs something had died long ago: its heartbeats find nothing. Rows are locked from the top downwards,
 * as the engine does it: somebody may be at work on them.
 * @param rootId only this one and what is below it
 */
export async function expireLeases(store: Store, rootId?: string): Promise<void> {
  await store.pool.query(
    `with left_alone as (
       select id from executions where state = 'running' and coalesce(root_id = $1, true)
        order by depth, id for no key update
     )
     update executions set owner = 'dead', lease = now() - interval '1 s'
       from left_alone where executions.id = left_alone.id`,
    [rootId ?? null],
  );
}

/**
 * As if another worker had taken this one over, and whoever has it did not know yet. One statement does it all: between two the
 * sweep could hand it out, and whoever has it would get it back.
 */
export function takeOver(store: Store, id: string): Promise<void> {
  return until(`${id} is taken over`, async () => {
    const { rowCount } = await store.pool.query(
      `update executions set epoch = epoch + 1, owner = 'another', lease = now() + interval '1 hour'
        where id = $1 and state = 'running'`,
      [id],
    );
    return rowCount === 1;
  });
}

/** The time comes at which this one is ready. */
export function isDue(store: Store, id: string): Promise<void> {
  return handOutStarted(store.db, id);
}

/** All workers die and the sweep hands everything out again. */
export async function loseAllWorkers(store: Store): Promise<void> {
  await expireLeases(store);
  await store.pool.query(
    `with queued as (
       select id from executions where state = 'queued' order by depth, id for no key update
     )
     update executions set queued_at = queued_at - interval '1 minute' from queued where executions.id = queued.id`,
  );
  await sweep(store.db);
}

/** What must hold of all executions in a database at any time, and of ended ones (I-1, I-2, I-4 to I-7). */
export async function brokenInvariants(store: Store): Promise<unknown[]> {
  const { rows } = await store.pool.query(`
    select 'log has a gap' as what, id from executions e
     where exists (
             select from (
               select seq - array_length(regexp_split_to_array(text, E'\\n'), 1) as before, lag(seq, 1, 0) over (order by seq)
                 from log_lines where execution_id = e.id) part (before, last)
              where before <> last)
        or log_count <> coalesce((select max(seq) from log_lines where execution_id = e.id), 0)
    union all
    select 'over before it began', id from executions where finished_at < created_at
    union all
    select 'result without done', id from executions where (state = 'done') <> (result is not null)
    union all
    select 'error without failed', id from executions where (state = 'failed') <> (error is not null)
    union all
    select 'parent is over, child is not', c.id from executions c join executions p on p.id = c.parent_id
     where p.finished_at is not null and c.finished_at is null
    union all
    select 'child is over, its step waits', s.execution_id from steps s join executions c on c.id = s.child_id
     where c.finished_at is not null and s.state = 'waiting'
    union all
    select 'step waits for nobody', s.execution_id from steps s
     where s.child_id is not null and not exists (select from executions where id = s.child_id)
    union all
    select 'over, but a step waits', s.execution_id from steps s join executions e on e.id = s.execution_id
     where e.finished_at is not null and s.state = 'waiting'
    union all
    select 'over, but a question waits', a.execution_id from approvals a join executions e on e.id = a.execution_id
     where e.finished_at is not null and a.state = 'waiting'
    union all
    select 'over, but a worker has it', id from executions
     where finished_at is not null and (owner is not null or lease is not null)`);
  return rows;
}
