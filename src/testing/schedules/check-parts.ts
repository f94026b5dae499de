import { tenantAt } from "./actions.ts";
import { leftOf } from "./check-removed.ts";
import { isGivingUp, outOfOrder } from "./check-runs.ts";
import { isTooLate } from "./check-turns.ts";
import type { PartsRun } from "./history.ts";
import { effects, isBehind, type Level, nodesOf, type Place } from "./parts.ts";
import type { World } from "./world.ts";

type Did = Awaited<ReturnType<World["database"]["did"]>>;

/** One run, at the top or below it, and what it goes again as. */
interface OneRun {
  readonly id: string;
  readonly level: Level;
  /** What the other one had done, and from where it goes again. */
  readonly again: { readonly id: string; readonly did: Did; readonly from: Place } | null;
}

/**
 * What has gone wrong with runs that are run again: each does what stands behind the place from which it goes, and what the other
 * one had not done, and has all else of that one. What a step says tells which run did it.
 */
export async function brokenParts(world: World): Promise<string[]> {
  const removed = await world.database.removed();
  const broken: string[] = [];
  for (const run of world.history.parts) {
    const row = await rowOf(world, run.id);
    if (row === undefined && !removed.has(run.id)) {
      if (run.told === "accepted") broken.push(`${run.id} was accepted and is lost`);
      continue;
    }
    if (run.told === "refused" || run.told === "same") broken.push(`${run.id} is there, and was ${run.told}`);
    broken.push(...(await brokenTop(world, run)));
    if (row === undefined) broken.push(...(await leftOf(world, run.id)));
  }
  return broken;
}

const rowOf = ({ database }: World, id: string) =>
  database.fresh.store.db.selectFrom("executions").selectAll().where("id", "=", id).executeTakeFirst();

async function brokenTop(world: World, run: PartsRun): Promise<string[]> {
  const { again } = run;
  const from: Place =
    again === null || again.below === null ? (again?.from ?? null) : { node: "below", item: null };
  const before =
    again === null ? null : { id: again.of.id, did: await world.database.did(again.of.id), from };
  const top: OneRun = { id: run.id, level: "top", again: before };
  const did = await world.database.did(run.id);
  const broken = await brokenOne(world, top);
  const say = (what: string) => broken.push(`${run.id} ${what}`);
  if (again?.below != null) {
    const { id, of } = again.below;
    const below = { id: of, did: await world.database.did(of), from: again.from };
    broken.push(...(await brokenOne(world, { id, level: "below", again: below })));
  }
  for (const [key, { output }] of did) {
    if (!isEffect("top", key) || isReused(top, key)) continue;
    const said = textOf(key, output);
    const [whose, version] = said.split("@");
    if (whose !== `${run.id}:${key}`) say(`has ${said} of ${key}`);
    const [least, most] = run.versions;
    if (version !== undefined && !(Number(version) >= least && Number(version) <= most))
      say(`called ${key} as of version ${version}, not ${least} to ${most}`);
  }
  const row = await rowOf(world, run.id);
  if (row === undefined) return broken;
  const expected = tenantAt(run.who);
  if (row.user_id !== expected.userId || row.team_id !== expected.teamId) say(`is ${row.user_id}'s`);
  const { db } = world.database.fresh.store;
  const below = await db.selectFrom("executions").selectAll().where("parent_id", "=", run.id).execute();
  for (const one of below) {
    if (one.id === again?.below?.id) continue;
    broken.push(...(await brokenOne(world, { id: one.id, level: "below", again: null })));
  }
  const isBelowReused = isReused(top, "below");
  if (below.length > 1 || (isBelowReused && below.length > 0))
    say(`started ${below.map(({ id }) => id).join()}`);
  const kills = world.history.kills.filter(({ id }) => id === run.id);
  const killed = kills.filter(({ told }) => told === "killed").length;
  if (killed > 1) say("was killed more than once");
  if (killed === 1 && row.state !== "terminated") say(`was killed, and is ${row.state}`);
  if (row.state === "terminated" && kills.every(({ told }) => told === "over"))
    say("is terminated, and no one killed it");
  const fails = effects.top.filter(
    (key) => world.ledger.failing.has(`${run.id} ${key}`) && !isReused(top, key),
  );
  const isExcused = (error: string | null) =>
    (world.history.losses >= 5 && isGivingUp(error)) || isTooLate(world, error);
  if (row.state === "failed" && fails.length === 0 && !isExcused(row.error)) say(`failed: ${row.error}`);
  if (row.state === "done" && fails.length > 0) say(`is done, and ${fails.join()} failed`);
  if (row.state === "done") broken.push(...(await brokenEnd(world, run, did, row.result)));
  return broken;
}

/** What one run did outside, and what it took over. */
async function brokenOne(world: World, run: OneRun): Promise<string[]> {
  const { id, level, again } = run;
  const row = await rowOf(world, id);
  const did = await world.database.did(id);
  const broken: string[] = [];
  const say = (what: string) => broken.push(`${id} ${what}`);
  const attempts = world.ledger.attempts(id);
  for (const [key, count] of attempts) {
    if (!isEffect(level, key)) say(`did ${key}, which is no step`);
    if (isReused(run, key)) say(`did ${key} again, which ${again?.id} had done`);
    if (row !== undefined && count > row.epoch) say(`did ${key} ${count} times in ${row.epoch} hands`);
  }
  for (const key of [...effects[level], ...nodesOf(level)]) {
    const now = did.get(key)?.output;
    if (isReused(run, key)) {
      const then = again?.did.get(key)?.output;
      if (row !== undefined && JSON.stringify(now) !== JSON.stringify(then))
        say(`has ${JSON.stringify(now)} of ${key}, not ${JSON.stringify(then)}`);
    } else if (isEffect(level, key) && now !== undefined && !attempts.has(key))
      say(`has ${key} without doing it`);
  }
  if (row?.state === "done" && nodesOf(level).some((node) => !did.has(node)))
    say("is done without all of its steps");
  if (row !== undefined) broken.push(...(await outOfOrder(world, id)));
  return broken;
}

/** Of a run that is done: what it says as a whole, and its file. */
async function brokenEnd(world: World, run: PartsRun, did: Did, result: unknown): Promise<string[]> {
  const said = (key: string) => textOf(key, did.get(key)?.output);
  const below = Reflect.get(Object(Reflect.get(Object(did.get("below")?.output), "value")), "out");
  const expected = [said("one"), said("two"), below, said("many/0"), said("many/1")].join(" ");
  const out = Reflect.get(Object(Reflect.get(Object(result), "outputs")), "out");
  const broken = out === expected ? [] : [`${run.id} says ${out}, not ${expected}`];
  const belowId = run.again?.below?.id;
  if (belowId !== undefined && did.get("below/child")?.childId !== belowId)
    broken.push(`${run.id} has what ${did.get("below/child")?.childId} says, not ${belowId}`);
  const { db } = world.database.fresh.store;
  const file = await db.selectFrom("run_files").select("id").where("execution_id", "=", run.id).execute();
  const bytes = file[0] === undefined ? null : await world.files.read(file[0].id);
  const text = bytes === null ? null : Buffer.concat(await bytes.toArray()).toString();
  if (file.length !== 1 || text !== said("two")) broken.push(`${run.id} has ${file.length} files: ${text}`);
  return broken;
}

const isEffect = (level: Level, key: string) => effects[level].some((one) => one === key);

/** What the other one had done, and does not stand behind the place from which this one goes. */
const isReused = ({ level, again }: OneRun, key: string) =>
  again?.did.has(key) === true && !isBehind(level, key, again.from);

/** Items are recorded as what they say, nodes as what they give. */
const textOf = (key: string, output: unknown): string =>
  String(key.includes("/") ? output : Reflect.get(Object(output), "value"));
