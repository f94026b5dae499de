import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "../e2e/service.ts";
import { keys } from "../e2e/service.ts";
import type { Store } from "../src/service/store/store.ts";

/**
 * What the other team starts: one after the other, each when the last has ended; at once, as a script does, or now and then, as
 * people do: `everyMs` after it, in milliseconds.
 */
export const quiet = {
  "a run": { flow: "flow_quick", times: 200, everyMs: 0 },
  "a run now and then": { flow: "flow_quick", times: 100, everyMs: 100 },
  "a run with a pause of a second": { flow: "flow_hello", times: 60, everyMs: 0 },
  "a turn": { agent: "agent_scribe", times: 200, everyMs: 0 },
  "a turn now and then": { agent: "agent_scribe", times: 100, everyMs: 100 },
} as const;
export type Quiet = keyof typeof quiet;

/** What is measured, and the database in which it is seen. */
export interface Measured {
  readonly service: Service;
  readonly store: Store;
}

const writeFile = '/write_file {"name": "notes.md", "content": "Mooring lines checked."}';

/** Queues so many runs of a flow of the loud team, as copies of one that was started. */
export async function queueRuns({ service, store }: Measured, flow: string, count: number): Promise<void> {
  const path = `/start_pipeline?user_id=user_grace&project_id=team_annex&saved_item_id=${flow}`;
  const started = await service.request("POST", path, {}, keys.grace);
  const { run_id: id } = (await started.json()) as { run_id: string };
  await store.pool.query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, input, queued_at)
     select $1 || '_' || n, kind, $1 || '_' || n, 0, subject_id, user_id, team_id, input, now()
       from executions, generate_series(1, $2) n where id = $1`,
    [id, count],
  );
}

/** Queues so many turns of the loud team, each in a conversation of its own, as copies of one that was started. */
export async function queueTurns({ service, store }: Measured, count: number): Promise<void> {
  const who = { user_id: "user_grace", project_id: "team_annex", gummie_id: "agent_loud" };
  const started = await service.request("POST", "/start_agent", { ...who, message: writeFile }, keys.grace);
  if (!started.ok) throw new Error(`start_agent: ${started.status} ${await started.text()}`);
  const { interaction_id: id } = (await started.json()) as { interaction_id: string };
  const copies = [
    `insert into interactions (id, agent_id, user_id, team_id, type, state, name, turn, execution_id)
     select $1 || '_' || n, agent_id, user_id, team_id, type, 'processing', name, 1, execution_id || '_' || n
       from interactions, generate_series(1, $2::integer) n where id = $1`,
    `insert into messages (interaction_id, seq, id, role, content)
     select $1 || '_' || n, seq, id || '_' || n, role, content
       from messages, generate_series(1, $2::integer) n where interaction_id = $1 and seq = 1`,
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, input, queued_at)
     select id || '_' || n, kind, id || '_' || n, 0, subject_id || '_' || n, user_id, team_id, input, now()
       from executions, generate_series(1, $2::integer) n where subject_id = $1`,
  ];
  for (const copy of copies) await store.pool.query(copy, [id, count]);
}

/** How much of the loud team waits. */
export async function queuedNow({ store }: Measured): Promise<number> {
  const { rows } = await store.pool.query<{ n: number }>(
    "select count(*)::integer as n from executions where state = 'queued' and team_id = 'team_annex'",
  );
  return rows[0]?.n ?? 0;
}

/** Takes away what the loud team has queued, and waits until the rest of its work has ended. */
export async function removeQueued({ store }: Measured): Promise<void> {
  await store.pool.query("delete from executions where state = 'queued' and team_id = 'team_annex'");
  const left =
    "select exists (select from executions where finished_at is null and team_id = 'team_annex') as left";
  while ((await store.pool.query(left)).rows[0]?.left) await delay(100);
}

/** Starts one of what the other team starts and waits for its end. @returns how long that took, in ms */
export async function one({ service, store }: Measured, what: Quiet): Promise<number> {
  const work = quiet[what];
  const began = performance.now();
  const answer =
    "flow" in work
      ? await service.request("POST", `/start_pipeline?user_id=user_ada&saved_item_id=${work.flow}`, {})
      : await service.request("POST", "/start_agent", {
          ...{ user_id: "user_ada", gummie_id: work.agent },
          message: writeFile,
        });
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`);
  const { run_id: run, interaction_id: talk } = (await answer.json()) as Record<string, string>;
  const ended =
    run === undefined
      ? {
          name: "talk",
          text: "select state <> 'processing' as ended from interactions where id = $1",
          values: [talk],
        }
      : {
          name: "run",
          text: "select finished_at is not null as ended from executions where id = $1",
          values: [run],
        };
  while (!(await store.pool.query(ended)).rows[0]?.ended) await delay(2);
  return performance.now() - began;
}

/** As often as is said of it. @returns how long each took, in ms */
export async function all(measured: Measured, what: Quiet): Promise<number[]> {
  const { times, everyMs } = quiet[what];
  const took: number[] = [];
  for (let time = 0; time < times; time++) {
    if (everyMs > 0) await delay(everyMs);
    took.push(await one(measured, what));
  }
  return took;
}

/** What of the loud team ends in a second while `meanwhile` goes on. */
export async function rateDuring({ store }: Measured, meanwhile: () => Promise<unknown>): Promise<number> {
  const ended = async () => {
    const { rows } = await store.pool.query<{ n: number }>(
      "select count(*)::integer as n from executions where team_id = 'team_annex' and state = 'done'",
    );
    return rows[0]?.n ?? 0;
  };
  const [before, began] = [await ended(), performance.now()];
  await meanwhile();
  return ((await ended()) - before) / ((performance.now() - began) / 1_000);
}
