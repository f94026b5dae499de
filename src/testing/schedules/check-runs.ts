import { readLog } from "../../service/engine/queries.ts";
import type { Script } from "../scripted-kind.ts";
import { leftOf } from "./check-removed.ts";
import type { KillAsked, RunStarted } from "./history.ts";
import type { World } from "./world.ts";

/** How a run may end: as its script says, unless it was killed. */
export interface ExpectedEnd {
  readonly state: "done" | "failed";
  readonly error: string | null;
  readonly log: readonly string[];
  /** Keys of its effects. */
  readonly effects: readonly string[];
  /** Those below it, which all have to be there. */
  readonly children: readonly { readonly id: string; readonly script: Script }[];
}

/** What a script comes to, worked out without an engine. */
export function expectedEnd(id: string, script: Script): ExpectedEnd {
  const log: string[] = [];
  const effects: string[] = [];
  const children: { id: string; script: Script }[] = [];
  const end = (state: "done" | "failed", error: string | null, last: string): ExpectedEnd => ({
    ...{ state, error, effects, children },
    log: [...log, last],
  });
  for (const [index, line] of script.entries()) {
    if (line.do === "fail") return end("failed", "the script says so", "failed");
    if (line.do === "effect") effects.push(String(index));
    if (line.do === "effect" || line.do === "think") log.push(`step ${index}`);
    if (line.do !== "children") continue;
    const mine = line.scripts.map((script, number) => ({ id: `${id}/${index}.${number}`, script }));
    children.push(...mine);
    const failed = mine
      .map((child) => ({ id: child.id, ...expectedEnd(child.id, child.script) }))
      .filter(({ state }) => state === "failed");
    if (failed.length > 0) {
      return end(
        "failed",
        failed.map(({ id, error }) => `the sub-run ${id} failed: ${error}`).join(" | "),
        "failed",
      );
    }
  }
  return end("done", null, "done");
}

/** What has gone wrong with runs. */
export async function brokenRuns(world: World): Promise<string[]> {
  const { history, database } = world;
  const removed = await database.removed();
  const broken: string[] = [];
  for (const run of history.runs)
    broken.push(...(removed.has(run.id) ? await leftOf(world, run.id) : await brokenRun(world, run)));
  return broken;
}

async function brokenRun(world: World, { id, script, told }: RunStarted): Promise<string[]> {
  const { db } = world.database.fresh.store;
  const row = await db.selectFrom("executions").select("id").where("id", "=", id).executeTakeFirst();
  if (row === undefined) return told === "accepted" ? [`${id} was accepted and is lost`] : [];
  const kills = world.history.kills.filter((kill) => kill.id === id);
  return brokenTree(world, id, script, kills);
}

async function brokenTree(
  world: World,
  id: string,
  script: Script,
  kills: readonly KillAsked[],
): Promise<string[]> {
  const { ledger, history, database } = world;
  const { db } = database.fresh.store;
  const row = await db.selectFrom("executions").selectAll().where("id", "=", id).executeTakeFirst();
  const expected = expectedEnd(id, script);
  if (row === undefined) return [`${id} is not there`];
  const broken: string[] = [];
  const say = (what: string) => broken.push(`${id} ${what}`);
  const isTerminated = row.state === "terminated";
  const isGivenUp = history.losses >= 5 && isGivingUp(row.error);
  const killed = kills.filter(({ told }) => told === "killed").length;
  const isTop = row.parent_id === null;
  if (isTop && killed > 1) say("was killed more than once");
  if (isTop && killed === 1 && !isTerminated) say(`was killed, and is ${row.state}`);
  if (isTerminated && kills.every(({ told }) => told === "over")) {
    const parent = await db
      .selectFrom("executions")
      .select("state")
      .where("id", "=", row.parent_id ?? "")
      .executeTakeFirst();
    // What is left below one that fails ends with it.
    if (parent?.state !== "failed") say("is terminated, and no one killed it");
  }
  const lines = (await readLog(db, id)).filter((line) => !line.includes("[run]"));
  const said = lines.map((line) => line.slice(25));
  if (!isTerminated && !isGivenUp) {
    if (row.state !== expected.state) say(`is ${row.state}: ${row.error}`);
    if (expected.error !== null && !expected.error.split(" | ").includes(row.error ?? ""))
      say(`failed with ${row.error}, not ${expected.error}`);
    if (said.join() !== expected.log.join()) say(`says ${said.join()}, not ${expected.log.join()}`);
  } else if (!isGivenUp && expected.log.slice(0, said.length).join() !== said.join())
    say(`says ${said.join()}`);
  const attempts = ledger.attempts(id);
  for (const [key, count] of attempts) {
    if (!expected.effects.includes(key)) say(`had an effect ${key} of no step`);
    // Whoever has it does it once.
    if (count > row.epoch) say(`had effect ${key} ${count} times in ${row.epoch} hands`);
  }
  if (row.state === "done") {
    for (const key of expected.effects) if (!attempts.has(key)) say(`is done without effect ${key}`);
  }
  broken.push(...(await outOfOrder(world, id)));
  for (const key of await database.endedEarly(id)) say(`waited in ${key} for less than it was to`);
  for (const child of expected.children) {
    const isThere = await db
      .selectFrom("executions")
      .select("id")
      .where("id", "=", child.id)
      .executeTakeFirst();
    if (isThere !== undefined || row.state === "done")
      broken.push(...(await brokenTree(world, child.id, child.script, kills)));
  }
  return broken;
}

/** Lines of a log that are dated before the one above. */
export async function outOfOrder({ database }: World, id: string): Promise<string[]> {
  const dates = (await readLog(database.fresh.store.db, id)).map((line) => line.slice(0, 24));
  const wrong = dates.find((date, index) => date < (dates[index - 1] ?? ""));
  return wrong === undefined
    ? []
    : [`${id} has a line dated ${wrong} before the one above it: ${dates.join(" ")}`];
}

/** Whether it failed as too many workers had lost it. */
export const isGivingUp = (error: string | null) => /the worker stopped \d+ times/.test(error ?? "");
