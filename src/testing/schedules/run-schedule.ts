import fc from "fast-check";
import { vi } from "vitest";
import { brokenInvariants } from "../engine.ts";
import { type Schedule, schedules } from "./actions.ts";
import { brokenEvaluations } from "./check-evaluations.ts";
import { brokenFlows } from "./check-flows.ts";
import { brokenParts } from "./check-parts.ts";
import { brokenRemovals } from "./check-removed.ts";
import { brokenRuns } from "./check-runs.ts";
import { brokenConversations } from "./check-turns.ts";
import { happen } from "./happen.ts";
import { lostPlaces, settle } from "./settle.ts";
import { closeLane, type Lane, openLane, openWorld } from "./world.ts";

/** Lets a schedule happen. @returns what must hold and did not */
async function runSchedule(
  lane: Lane,
  schedule: Schedule,
  tally: Map<string, number> = new Map(),
): Promise<readonly string[]> {
  const world = await openWorld(lane);
  const count = (what: string, times = 1) => tally.set(what, (tally.get(what) ?? 0) + times);
  try {
    for (const action of schedule) await happen(world, action);
    const stuck = (await settle(world)).map((what) => `stuck: ${what}`);
    for (const action of schedule) count(action.do);
    const { runs, flows, parts, conversations } = world.history;
    count("flows accepted", flows.filter(({ told }) => told === "accepted").length);
    count("runs accepted", runs.filter(({ told }) => told === "accepted").length);
    const accepted = parts.filter(({ told }) => told === "accepted");
    count("parts accepted", accepted.filter(({ again }) => again === null).length);
    count("runs again accepted", accepted.filter(({ again }) => again !== null).length);
    for (const refusal of world.history.refusals) count(`runs again refused: ${refusal}`);
    const unknown = parts.filter(({ told, again }) => told === "unknown" && again !== null);
    count("runs again without an answer", unknown.length);
    const said = conversations.flatMap((conversation) => conversation.said);
    count("messages accepted", said.filter(({ told }) => told === "accepted").length);
    count("effects outside", world.ledger.count());
    // What goes on is not looked at.
    if (stuck.length > 0) return stuck;
    return [
      ...world.history.broken,
      ...world.ledger.broken,
      ...(await brokenRuns(world)),
      ...(await brokenFlows(world)),
      ...(await brokenParts(world)),
      ...(await brokenConversations(world)),
      ...(await brokenEvaluations(world)),
      ...(await brokenRemovals(world)),
      ...(await lane.database.overfull()),
      ...(await brokenInvariants(lane.database.fresh.store)).map((row) => JSON.stringify(row)),
      ...(await lostPlaces(world)),
    ];
  } finally {
    await world.close();
  }
}

/** Lets one schedule happen alone. @returns what must hold and did not */
export async function brokenAfter(schedule: Schedule): Promise<readonly string[]> {
  const lane = await openLane();
  try {
    return await runSchedule(lane, schedule);
  } finally {
    await closeLane(lane);
  }
}

/** The schedule of a seed. */
function scheduleOf(seed: number): Schedule {
  const [schedule] = fc.sample(schedules, { seed, numRuns: 1 });
  if (schedule === undefined) throw new Error(`no schedule has the seed ${seed}`);
  return schedule;
}

/** A schedule after which something does not hold that must. */
export interface BrokenSchedule {
  readonly seed: number;
  readonly broken: readonly string[];
  /** What is left of it when everything is taken away without which it breaks all the same. */
  readonly schedule: Schedule;
}

/** What came of the schedules of many seeds. */
export interface SeedsRun {
  /** Those after which something does not hold. */
  readonly broken: readonly BrokenSchedule[];
  /** What happened, how often. */
  readonly tally: ReadonlyMap<string, number>;
}

/**
 * Runs the schedules of these seeds, several at a time, each in a database that others have had before.
 * @param onDone told how many are done, and how many of them are broken
 */
export async function runSeeds(
  seeds: readonly number[],
  {
    atOnce,
    onDone = () => {},
    onBroken = () => {},
  }: {
    readonly atOnce: number;
    readonly onDone?: (done: number, broken: number) => void;
    readonly onBroken?: (schedule: BrokenSchedule) => void;
  },
): Promise<SeedsRun> {
  const tally = new Map<string, number>();
  const left = [...seeds];
  const broken: BrokenSchedule[] = [];
  let done = 0;
  const work = async () => {
    let lane = await openLane();
    for (let seed = left.shift(); seed !== undefined && broken.length < enough; seed = left.shift()) {
      const schedule = scheduleOf(seed);
      const found = await runSchedule(lane, schedule, tally);
      if (found.length > 0) {
        await closeLane(lane);
        const one = { seed, ...(await shrunk({ broken: found, schedule })) };
        broken.push(one);
        onBroken(one);
        lane = await openLane();
      }
      onDone(++done, broken.length);
    }
    await closeLane(lane);
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    vi.useRealTimers();
  }
  return { broken, tally };
}

/** Whoever has so many to look at needs no more. */
const enough = 3;

type Broken = Omit<BrokenSchedule, "seed">;

/** How long somebody waits for a shorter schedule, in milliseconds. */
const shrinkMs = 30_000;

/** Takes away halves, quarters, and so on, down to single actions, for as long as it still breaks. */
async function shrunk(first: Broken): Promise<Broken> {
  let least = first;
  const end = performance.now() + shrinkMs;
  for (let size = Math.ceil(first.schedule.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < least.schedule.length && performance.now() < end; ) {
      const schedule = least.schedule.filter((_, index) => index < from || index >= from + size);
      const broken = await brokenAfter(schedule);
      if (broken.length > 0) least = { broken, schedule };
      else from += size;
    }
  }
  return least;
}

/** As a person reads it. */
export function reportOf({ seed, broken, schedule }: BrokenSchedule): string {
  const actions = schedule.map((action) => `    ${JSON.stringify(action)}`);
  return [
    `seed ${seed} (SEED=${seed} runs it alone):`,
    ...broken.map((one) => `  ${one}`),
    "  after",
    ...actions,
  ].join("\n");
}
