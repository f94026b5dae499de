import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Execution, NewExecution } from "../engine/kind.ts";
import { readExecution } from "../engine/queries.ts";
import type { Seeded } from "../engine/seed.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { isJsonObject, toJsonValue } from "../json.ts";
import type { Store } from "../store/store.ts";
import { type Again, type AgainPlan, planAgain } from "./again-plan.ts";
import type { Refusal } from "./again-refusals.ts";
import { nodesThatAsk } from "./asking-nodes.ts";
import type { Flow, Flows } from "./find-flow.ts";
import type { FlowVersions } from "./flow-versions.ts";
import { logLines } from "./log-lines.ts";
import { readPastRun } from "./past-run.ts";
import { planFlow } from "./plan.ts";
import { runInput, writeRunInput } from "./run-input.ts";
import { nodesThatAsked, nodesWithOthers, readStartedFlows } from "./started-flows.ts";

/** What a caller asks for. */
export interface AgainAsk {
  readonly from: { readonly node: string; readonly item: number | null } | null;
  readonly flow: "as_run" | "current";
  readonly inputs: JsonObject;
  readonly output: JsonObject | null;
}

/** A run that goes again, with what becomes of its nodes. */
export interface AgainLevel {
  readonly run: Execution;
  readonly flowName: string;
  readonly from: AgainAsk["from"];
  readonly plan: AgainPlan;
  /** Of the new run. */
  readonly input: JsonValue;
  /** Of the one below it: the step of this one that waits for it, and for how many seconds at most. */
  readonly childKey: string | null;
  readonly childSeconds: number | null;
}

export interface AgainPreview {
  /** The topmost run first; the last is the one that was asked about. */
  readonly levels: readonly AgainLevel[];
  readonly refusals: readonly Refusal[];
  /** The same for the same outcome. */
  readonly digest: string;
}

interface Parts {
  readonly store: Store;
  readonly versions: FlowVersions;
  readonly flows: Pick<Flows, "find">;
}

/** The run and those that started it, the topmost first. One that a turn started is the topmost of its own. */
export async function readRunsAbove({ db }: Store, run: Execution): Promise<readonly Execution[]> {
  const all = [run];
  for (let at = run; at.parentId !== null; ) {
    const parent = await readExecution(db, at.parentId);
    if (parent?.kind !== "pipeline") break;
    all.unshift(parent);
    at = parent;
  }
  return all;
}

/**
 * Works out what a run again would do; it changes nothing. A sub-run goes again inside new runs of those above it.
 * @param runs those of `readRunsAbove`
 */
export async function previewAgain(
  parts: Parts,
  runs: readonly Execution[],
  ask: AgainAsk,
): Promise<AgainPreview> {
  if (runs.some(({ finishedAt }) => finishedAt === null)) {
    const message = "The run has not ended: stop it, or wait until it has.";
    return { levels: [], refusals: [{ message, param: "run_id" }], digest: "" };
  }
  const steps = await stepsOfParents(parts.store, runs);
  // What people agreed to below may be outdated by what follows above, which follows from what happens below.
  for (let outdated: ReadonlySet<number> = new Set(); ; ) {
    const { levels, refusals } = await planLevels(parts, runs, steps, ask, outdated);
    const found = levels.flatMap(({ plan }, index) => (plan.outdatesBelow ? [index + 1] : []));
    if (found.every((index) => outdated.has(index)))
      return { levels, refusals, digest: levels.length === 0 ? "" : digestOf(levels, ask) };
    outdated = new Set([...outdated, ...found]);
  }
}

/** @param outdated indexes of the runs in which people are asked again. @returns no levels where one cannot be read */
async function planLevels(
  parts: Parts,
  runs: readonly Execution[],
  steps: readonly string[],
  ask: AgainAsk,
  outdated: ReadonlySet<number>,
): Promise<Pick<AgainPreview, "levels" | "refusals">> {
  const refusals: Refusal[] = [];
  const levels: AgainLevel[] = [];
  // From the bottom: what becomes of a node above follows from what happens in its run.
  for (const [index, run] of [...runs.entries()].reverse()) {
    const isAsked = index === runs.length - 1;
    const key = steps[index] ?? null;
    const level = await planLevel(parts, run, {
      ...{ from: key === null ? ask.from : placeOf(key), childKey: key, flow: ask.flow },
      inputs: isAsked ? ask.inputs : {},
      output: isAsked ? ask.output : null,
      below: levels[0] ?? null,
      isOutdated: outdated.has(index),
    });
    if ("message" in level) return { levels: [], refusals: [...refusals, level] };
    refusals.push(...level.plan.refusals);
    levels.unshift(level);
  }
  return { levels, refusals };
}

interface LevelAsk extends AgainAsk {
  readonly childKey: string | null;
  readonly below: AgainLevel | null;
  readonly isOutdated: boolean;
}

async function planLevel(
  { store, versions, flows }: Parts,
  run: Execution,
  { from, flow, inputs, output, childKey, below, isOutdated }: LevelAsk,
): Promise<AgainLevel | Refusal> {
  const unreadable = { message: "The flow cannot be read by this version of the service.", param: "flow" };
  const before = runInput.safeParse(run.input);
  const past = before.success ? await readPastRun(store, versions, run) : null;
  if (!before.success || past === null) return unreadable;
  const now = flow === "current" ? await flows.find(run.subjectId) : null;
  if (flow === "current" && now === null)
    return { message: "The flow is not in the workspace any more: take it as it was.", param: "flow" };
  const plan = now === null ? past.plan : await planFlow(now.definition);
  const values = toJsonValue({ ...before.data.inputs, ...inputs });
  const changed = Object.keys(inputs).filter(
    (name) =>
      !Object.hasOwn(before.data.inputs, name) || !isDeepStrictEqual(before.data.inputs[name], inputs[name]),
  );
  const started = await readStartedFlows(store, run.id);
  const again: Again = {
    ...{ from, output, changedInputs: new Set(changed), isOutdated },
    below: below === null ? null : { runId: below.run.id, plan: below.plan },
    asking: await nodesThatAsk(
      flows,
      [...plan.nodes].map(([id, { config }]) => [id, config]),
    ),
    asked: await nodesThatAsked(versions, started),
    othersBelow: await nodesWithOthers({ versions, flows }, started),
  };
  const config = from === null ? undefined : plan.nodes.get(from.node)?.config;
  const doing = config?.type === "each" ? config.do : config;
  return {
    ...{ run, from, childKey },
    flowName: now?.name ?? before.data.name,
    plan: planAgain(past, plan, again),
    input: inputOf(run, now, isJsonObject(values) ? values : {}, before.data.body),
    childSeconds: doing?.type === "flow" ? (doing.timeout_s ?? null) : null,
  };
}

function inputOf(run: Execution, now: Flow | null, inputs: JsonObject, body: string): JsonValue {
  if (now !== null) return writeRunInput(now, inputs, body);
  return isJsonObject(run.input) ? { ...run.input, inputs } : run.input;
}

/** Of each run the key of its step that waited for the next one; none of the last. */
async function stepsOfParents({ db }: Store, runs: readonly Execution[]): Promise<readonly string[]> {
  const ids = runs.slice(1).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("executions")
    .select(["id", "parent_step"])
    .where("id", "in", ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row.parent_step]));
  return ids.map((id) => byId.get(id) ?? "");
}

/** `<node>/child`, or `<node>/<item>/child`. */
function placeOf(key: string): NonNullable<AgainAsk["from"]> {
  const [node = "", item = ""] = key.split("/");
  return { node, item: /^\d+$/.test(item) ? Number(item) : null };
}

function digestOf(levels: readonly AgainLevel[], ask: AgainAsk): string {
  const all = levels.map(({ run, input, plan }) => [
    ...[run.id, input, plan.copied, plan.given],
    plan.nodes.map(({ node, state, outside, mayRepeat, items, runId }) => [
      ...[node.id, state, outside, mayRepeat, items, runId],
    ]),
  ]);
  return createHash("sha256")
    .update(JSON.stringify([all, ask]))
    .digest("base64url");
}

/** Who the new runs are of, and their ids. */
export interface NewRuns {
  readonly userId: string | null;
  readonly teamId: string | null;
  readonly now: Date;
  readonly ids: readonly string[];
}

/** The new runs as they are before they begin. @param preview without refusals */
export function seedAgain({ levels }: AgainPreview, { userId, teamId, now, ids }: NewRuns): Seeded | null {
  return [...levels.entries()].reverse().reduce<Seeded | null>((below, [index, level]) => {
    const { run, plan, input, childKey, childSeconds } = level;
    const execution: NewExecution = {
      ...{ id: ids[index] ?? "", kind: run.kind, subjectId: run.subjectId, userId, teamId, input },
    };
    return {
      ...{ execution, copied: { from: run.id, keys: plan.copied }, given: plan.given },
      log: logOf(level, now),
      child:
        below === null || childKey === null
          ? null
          : {
              ...{ key: childKey, seeded: below },
              limit:
                childSeconds === null
                  ? null
                  : { key: childKey.replace(/child$/, "limit"), ms: childSeconds * 1_000 },
            },
    };
  }, null);
}

function logOf({ run, from, plan }: AgainLevel, now: Date): string[] {
  const where = from === null ? "" : ` from ${from.node}${from.item === null ? "" : ` ${from.item}`}`;
  const lines = plan.nodes.flatMap(({ node, state, items, wasSkipped }) => {
    if (state === "reused")
      return logLines(now, node.id, wasSkipped ? "skipped before" : "done before, reused");
    if (state === "given") return logLines(now, node.id, "done: its output was given by hand");
    if (items === null || items.reused === 0) return [];
    return logLines(now, node.id, `${items.reused} ${items.reused === 1 ? "item" : "items"} reused`);
  });
  return [...logLines(now, "run", `goes again as ${run.id}${where}`), ...lines];
}
