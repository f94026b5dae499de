import { setTimeout as delay } from "node:timers/promises";
import { handOutStarted } from "../../service/engine/start.ts";
import { sweep } from "../../service/engine/sweep.ts";
import { answerCall } from "../answer-call.ts";
import { until } from "../until.ts";
import { endLeases } from "./happen.ts";
import { mendAll, patiently } from "./mend.ts";
import { concurrency } from "./process.ts";
import { waitingQuestions } from "./questions.ts";
import type { World } from "./world.ts";

/** Longer than any lease, and than the pause after a disk was full. */
const longMs = 40_000;
/** How often that much time may pass before everything has ended. */
const ticks = 10;
const lookMs = 40;
/** When nothing has happened for so long, in milliseconds, something waits for a time: at first, and when much has passed. */
const quietMs = { first: 500, later: 5_000 };

/** What has to end while nobody answers anything, and all that has to when everything is answered. */
const phases = [
  { answers: false, of: "input ->> 'script' is not null" },
  { answers: true, of: "true" },
] as const;
type Phase = (typeof phases)[number];

/**
 * All faults stop: processes reach the database, and the disk has room. Time goes by in ticks, and runs that ask nobody have to
 * end, whoever of their team waits for people. Then somebody answers all questions, and everything has to end.
 * @returns what did not
 */
export async function settle(world: World): Promise<string[]> {
  const { database, processes } = world;
  await database.setFull(false);
  await mendAll(world);
  if (processes.length === 0) await world.startOne();
  await world.answered();
  await arrived(world);
  for (const phase of phases) {
    const stuck = await ends(world, phase);
    if (stuck.length > 0) return stuck;
    // Until here something may break, or die, at what it says.
    for (const { proxy } of processes) proxy.breakNone();
  }
  return [];
}

/** Lets time go by until all of a phase has ended. @returns what did not */
async function ends(world: World, phase: Phase): Promise<string[]> {
  const { database } = world;
  const { store } = database.fresh;
  for (let tick = 0; tick < ticks; tick++) {
    await letPass(world);
    const left = await whileMoving(world, phase, tick === 0 ? quietMs.first : quietMs.later);
    if (left.length === 0) return [];
    // Also those whose workers live, but do not know that they have them, are found by the end of their leases.
    world.history.losses += 1;
    await patiently(() => database.jump(longMs));
    await patiently(() => sweep(store.db));
  }
  return [...(await unfinished(world, phase)), ...(await lying(world))];
}

/** All that was ever sent has reached the database, also from connections that broke since: their ends there are gone. */
async function arrived(world: World): Promise<void> {
  const { database } = world;
  const now = await database.time();
  await mendAll(world);
  await until("old connections are gone", async () => (await database.olderThan(now)) === 0);
}

/** Due times that nobody served and what lies in the queue, for whoever asks why something is stuck. */
async function lying({ database }: World): Promise<string[]> {
  const { rows } = await database.fresh.store.pool.query<{ what: string }>(`
    select 'step ' || key || ' of ' || execution_id || ' wakes ' || (wake_at - now()) || ' from now' as what
      from steps where state = 'waiting' and wake_at is not null
     union all
    select 'job ' || coalesce(key, '') || ' for ' || task_identifier || ' due ' || (run_at - now()) || ' from now, attempts '
           || attempts || ' of ' || max_attempts || ', locked ' || coalesce((now() - locked_at)::text || ' ago by ' || locked_by, 'by no one')
           || coalesce(', ' || last_error, '')
      from graphile_worker.jobs`);
  return rows.map(({ what }) => what);
}

/** The time passes for which what dead processes had is left alone, and what has to pause lies. */
async function letPass(world: World): Promise<void> {
  const { store } = world.database.fresh;
  await endLeases(world, (name) => !world.processes.some(({ owner }) => owner === name));
  await patiently(() => sweep(store.db));
  const { rows } = await store.pool.query<{ id: string }>("select id from executions where state = 'queued'");
  for (const { id } of rows) await handOutStarted(store.db, id);
}

/** Until all of a phase has ended, or nothing has changed for so long. @returns what is left */
async function whileMoving(world: World, phase: Phase, quiet: number): Promise<string[]> {
  let left = await unfinished(world, phase);
  let changedAt = performance.now();
  // A machine that stands still shows nothing: there are as many looks as fit into that time where it does not.
  let looks = 0;
  while (left.length > 0 && (performance.now() - changedAt < quiet || looks * lookMs < quiet)) {
    for (const question of phase.answers ? await waitingQuestions(world) : []) {
      const given = { answer: "refuse", userId: "user_ada" } as const;
      const refusal = { ...given, editedText: null, values: null, reason: null };
      await patiently(() => answerCall(world.database.fresh.store, question, refusal));
    }
    await delay(lookMs);
    looks += 1;
    const now = await unfinished(world, phase);
    if (now.join() !== left.join()) {
      changedAt = performance.now();
      looks = 0;
    }
    left = now;
  }
  return left;
}

/** What of a phase has not ended, with all that can be seen of it. */
async function unfinished({ database }: World, { of }: Phase): Promise<string[]> {
  const { rows } = await database.fresh.store.pool.query<{ what: string }>(`
    select id || ' is ' || state || ' for ' || coalesce(owner, 'no one') || ', epoch ' || epoch || ', attempts ' || attempts
           || ', ' || (select count(*) from steps where execution_id = executions.id) || ' steps' as what
      from executions where finished_at is null and ${of} order by id`);
  return rows.map(({ what }) => what);
}

/** Every place of every process is free: as many as there are meet, and all have to be at work at once. */
export async function lostPlaces({ database, meeting, processes, name }: World): Promise<string[]> {
  const { store } = database.fresh;
  await database.unlimit();
  const all = processes.length * concurrency;
  meeting.call(all);
  const ids = Array.from({ length: all }, () => name("meets"));
  const [process] = processes;
  for (const id of ids) {
    const owner = { userId: "user_ada", teamId: null };
    await process?.engine.start(store.db, { id, kind: "meeting", subjectId: "meeting", ...owner, input: {} });
  }
  const open = async () => {
    const { rows } = await store.pool.query(
      "select id from executions where id = any($1) and finished_at is null",
      [ids],
    );
    return rows.length;
  };
  try {
    await until("all places are taken at once", async () => (await open()) === 0, 30_000);
    return [];
  } catch {
    return [`of ${all} places only ${meeting.present()} were free at the end`];
  }
}
