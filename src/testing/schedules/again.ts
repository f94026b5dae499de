import { setTimeout as delay } from "node:timers/promises";
import { type AgainRequest, runAgain as answerAgain } from "../../service/areas/run-again.ts";
import { createFlows } from "../../service/pipelines/find-flow.ts";
import { createFlowVersions } from "../../service/pipelines/flow-versions.ts";
import { ServiceError } from "../../service/service-error.ts";
import { personCaller } from "../callers.ts";
import { type Of, tenantAt } from "./actions.ts";
import type { PartsRun, Told } from "./history.ts";
import { mendAll, patiently } from "./mend.ts";
import { nodesOf, type Place, placeAt } from "./parts.ts";
import type { Process } from "./process.ts";
import type { World } from "./world.ts";

/** Both are of the team. */
const people = ["user_ada", "user_bob"].map((id) => personCaller(id, ["team_both"]));

/** What is to go again, as whoever asks knows it. */
interface Target {
  readonly of: PartsRun;
  /** The run below it that is to. */
  readonly below: string | null;
}

/**
 * A run that has ended is run again, or the one below it, by a person who may perhaps not see it. Whoever sends it twice does so
 * with one key, as they have been answered or hear nothing more.
 */
export async function runAgain(world: World, action: Of<"again">): Promise<void> {
  if (action.waits) {
    await world.database.setFull(false);
    await mendAll(world);
    await Promise.all(world.processes.map(reaches));
  }
  const target = await targetOf(world, action);
  if (target === null) return;
  const { at, by, from, flow, fails, level, twice } = action;
  const caller = people[by % people.length] ?? null;
  if (caller === null) return;
  const key = twice ? world.name("key") : null;
  const place = placeAt(target.below === null ? "top" : level, from);
  const who = tenantAt(target.of.who).teamId === null ? 0 : 1 + by;
  const send = async (process: Process): Promise<Told<string>> => {
    const version = world.parts.version();
    const ids = [world.name("again"), ...(target.below === null ? [] : [world.name("below")])];
    const [id = "", belowId = ""] = ids;
    const below = target.below === null ? null : { of: target.below, id: belowId };
    const run: PartsRun = {
      ...{ id, who, told: "unknown" },
      versions: flow === "as_run" ? target.of.versions : [version, version],
      again: { of: target.of, below, from: place, flow },
    };
    world.history.parts.push(run);
    if (fails !== null) world.ledger.failing.add(`${id} ${fails}`);
    const before = await patiently(() => stateOf(world, target));
    const told = await world.ask(process, () =>
      ask(world, process, { ids, target, place, flow, caller, key }),
    );
    if (flow === "current") run.versions[1] = world.parts.version();
    if (told === "unknown") return told;
    run.told = told.id === null ? "refused" : told.id === id ? "accepted" : "same";
    if (told.refusal !== null) {
      const { refusal } = told;
      await patiently(() => judge(world, run, { ...refusal, ...before, by }));
    }
    return told.id ?? "refused";
  };
  world.background(sendAll());

  async function sendAll() {
    const first = await send(world.processAt(at));
    if (!twice) return;
    const { forwardMs } = world.history;
    if (world.processes.length === 0) return;
    const second = await send(world.processAt(at + 1));
    const isKnown = ![first, second].includes("unknown") && first !== "refused";
    // A key is remembered for a day.
    if (isKnown && first !== second && world.history.forwardMs === forwardMs)
      world.history.broken.push(`${first} was run again with one key, and then answered with ${second}`);
  }
}

/** Until its connections are new ones: those that broke say so once. */
async function reaches({ store, gone }: Process): Promise<void> {
  let isGone = false;
  void gone.then(() => {
    isGone = true;
  });
  const asked = () =>
    store.pool.query("select").then(
      () => true,
      () => isGone,
    );
  while (!(await asked())) await delay(5);
}

interface EndedRun {
  readonly id: string;
  /** What it had started. */
  readonly below: string | null;
}

/** How long somebody waits for a run that ends, in milliseconds. */
const patienceMs = { hurries: 100, waits: 1_000 };

/** Of those that have ended, where there is one. */
async function targetOf(world: World, { which, level, waits }: Of<"again">): Promise<Target | null> {
  const { parts } = world.history;
  const rows = await endedParts(world, performance.now() + patienceMs[waits ? "waits" : "hurries"]);
  const ended = rows[which % Math.max(1, rows.length)];
  if (ended === undefined && waits) return null;
  const of = parts.find(({ id }) => id === ended?.id) ?? parts[which % Math.max(1, parts.length)];
  if (of === undefined) return null;
  return { of, below: level === "below" ? (ended?.below ?? null) : null };
}

async function endedParts(world: World, until: number): Promise<readonly EndedRun[]> {
  const { parts } = world.history;
  const { pool } = world.database.fresh.store;
  const { rows } = await patiently(() =>
    pool.query<EndedRun>(
      `select id, (select id from executions e where e.parent_id = executions.id) as below
       from executions where id = any($1) and finished_at is not null order by id`,
      [parts.map(({ id }) => id)],
    ),
  );
  if (rows.length > 0 || parts.length === 0 || performance.now() > until) return rows;
  await delay(10);
  return endedParts(world, until);
}

async function stateOf(world: World, { of }: Target) {
  const { db } = world.database.fresh.store;
  const query = db.selectFrom("executions").select("finished_at").where("id", "=", of.id);
  const row = await query.executeTakeFirst();
  return { wasThere: row !== undefined, hadEnded: row !== undefined && row.finished_at !== null };
}

interface Asked {
  /** Of what is made, the topmost first. */
  readonly ids: readonly string[];
  readonly target: Target;
  readonly place: Place;
  readonly flow: "as_run" | "current";
  readonly caller: AgainRequest["caller"];
  readonly key: string | null;
}

interface Answer {
  readonly id: string | null;
  readonly refusal: { readonly code: string; readonly message: string } | null;
}

async function ask(
  world: World,
  { store, engine, clock }: Process,
  { ids, target, place, flow, caller, key }: Asked,
): Promise<Answer> {
  const left = [...ids];
  const flowVersions = createFlowVersions(store.db);
  const context = {
    ...{ store, engine, clock, flowVersions, flows: createFlows(store.db, flowVersions) },
    ...{ files: world.files, publicUrl: "http://localhost" },
    ids: { make: () => left.shift() ?? "none" },
  };
  const request: AgainRequest = {
    ...{ caller, query: undefined, rawBody: "", requestId: "request", remoteAddress: "127.0.0.1" },
    ...{ headers: new Map(), ifNoneMatch: null, signal: new AbortController().signal },
    params: { run_id: target.below ?? target.of.id },
    body: { from: place, flow },
    headerFields: key === null ? {} : { "Idempotency-Key": key },
  };
  try {
    const { body } = await answerAgain(context, request);
    return { id: body.run_id, refusal: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { id: null, refusal: { code: error.code, message: error.message } };
  }
}

/** Notes a refusal that has no reason. */
async function judge(
  world: World,
  { id, who, again }: PartsRun,
  refusal: {
    readonly code: string;
    readonly message: string;
    readonly wasThere: boolean;
    readonly hadEnded: boolean;
    readonly by: number;
  },
): Promise<void> {
  if (again === null) return;
  const { of, below, from, flow } = again;
  const { message } = refusal;
  const [did, removed] = [await world.database.did(below?.of ?? of.id), await world.database.removed()];
  const isStranger = who === 0 && refusal.by !== 0;
  const isThere = refusal.wasThere && !removed.has(of.id);
  const isDone = nodesOf(below === null ? "top" : "below").every((node) => did.has(node));
  const hasReason =
    refusal.code === "not_found"
      ? isStranger || !isThere
      : message.startsWith("The run has not ended")
        ? !refusal.hadEnded
        : message.startsWith("Nothing would be done again")
          ? from === null && isDone
          : message.includes("has changed since") &&
            flow === "current" &&
            world.parts.version() > of.versions[0];
  world.history.refusals.push(message.split(" ").slice(0, 4).join(" "));
  if (!hasReason) world.history.broken.push(`${id} was refused: ${message}`);
}
