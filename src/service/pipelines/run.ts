import type { z } from "zod";
import { formatDuration } from "../../contract/duration.ts";
import { anySignal } from "../any-signal.ts";
import { LimitError } from "../engine/engine-error.ts";
import type { Execution, Journal, Outcome, StepOptions } from "../engine/kind.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { NodeError } from "../nodes/node.ts";
import type { NodeServices } from "../nodes/services.ts";
import { nameOf } from "./definition.ts";
import type { FlowVersions } from "./flow-versions.ts";
import { callNode, isAsk, isLimit, type RunContext } from "./node-call.ts";
import { failureSentence } from "./node-states.ts";
import { type Plan, type PlannedNode, planFlow } from "./plan.ts";
import { factsOf, isSkipped, scopeOf } from "./run-facts.ts";
import { runInput } from "./run-input.ts";
import { NodeLog, RunLog } from "./run-log.ts";

/** Nodes of one run that work in this process at the same time. */
const concurrency = 20;

/** Made once: without a reason each run would make an error of its own at its end. */
const over = new Error("the run is over");

type EndedSoFar = Map<string, JsonObject | null>;

/**
 * Takes a pipeline run as far as it can go. All that it knows comes from the flow and the journal's steps, so it goes on
 * after a wait or a crash where it was. The step `<node>` is a node's end; steps below `<node>/` are the node's own.
 */
export async function advanceRun(
  execution: Execution,
  journal: Journal,
  services: NodeServices,
  versions: FlowVersions,
): Promise<Outcome> {
  const input = runInput.safeParse(execution.input);
  const plan = input.success ? await planOf(input.data, versions) : null;
  if (!input.success || plan === null)
    return { type: "failed", error: "The flow cannot be read by this version of the service." };
  const [fault] = plan.faults;
  if (fault)
    return { type: "failed", error: `The flow has a fault at ${fault.path.join(".")}: ${fault.message}.` };
  const recorded = recordedFailure(journal, plan);
  if (recorded !== null) return failed([recorded]);

  const stop = new AbortController();
  const signal = anySignal([journal.signal, stop.signal]);
  const facts = factsOf(execution, input.data, plan.nodes);
  const { traceOf } = execution;
  const run: RunContext = { journal, log: new RunLog(), services, facts, signal, traceOf };
  const ended: EndedSoFar = new Map();
  const busy = new Map<string, Promise<void>>();
  const parked = new Set<string>();
  const failures: { id: string; error: unknown }[] = [];

  const take = async (node: PlannedNode) => {
    try {
      if ((await runNode(run, node, ended)) === "waiting") parked.add(node.id);
    } catch (error) {
      failures.push({ id: node.id, error });
    } finally {
      busy.delete(node.id);
    }
  };

  try {
    for (;;) {
      journal.signal.throwIfAborted();
      if (failures.length > 0) break;
      for (const node of plan.nodes.values()) {
        if (busy.size >= concurrency) break;
        if (ended.has(node.id) || busy.has(node.id) || parked.has(node.id)) continue;
        if (restore(journal, node.id, ended)) continue;
        if (node.needs.every((id) => ended.has(id))) busy.set(node.id, take(node));
      }
      if (ended.size === plan.nodes.size)
        return { type: "done", result: { outputs: outputsOf(plan.nodes, ended) } };
      if (busy.size === 0) return { type: "waiting", forPeople: waitsForPeople(journal.steps) };
      await Promise.race([
        ...busy.values(),
        ...(parked.size > 0 ? [journal.woken().then(() => parked.clear())] : []),
      ]);
    }
  } finally {
    // Also of a run that was killed or lost nothing may happen when it is over.
    stop.abort(failures[0]?.error ?? over);
    await Promise.allSettled(busy.values());
  }
  return failed(failures);
}

/** The flow as it was when a run of it started. @returns null where this release cannot read it */
export async function planOf(
  { version, definition }: Pick<z.output<typeof runInput>, "version" | "definition">,
  versions: FlowVersions,
): Promise<Plan | null> {
  if (definition !== undefined) return planFlow(definition);
  return version === undefined ? null : ((await versions.find(version))?.plan ?? null);
}

/** Whether it waits for nothing but people, who may take days, and sub-runs, which say the same of themselves. */
function waitsForPeople(steps: Journal["steps"]): boolean {
  return [...steps.values()].every(
    ({ key, state, childId }) => state !== "waiting" || isAsk(key) || childId !== null || isLimit(key),
  );
}

/** What ends the run: whoever had it before had recorded that, and died before its end. */
function recordedFailure({ steps }: Journal, plan: Plan) {
  const step = [...steps.values()].find(({ key, state }) => state === "failed" && plan.nodes.has(key));
  return step === undefined ? null : { id: step.key, error: new NodeError(step.error ?? "") };
}

/** Takes over a node that had ended before. */
function restore(journal: Journal, id: string, ended: EndedSoFar): boolean {
  const step = journal.steps.get(id);
  if (step?.state !== "done") return false;
  ended.set(id, isJsonObject(step.output) ? step.output : null);
  return true;
}

async function runNode(run: RunContext, node: PlannedNode, ended: EndedSoFar): Promise<"ended" | "waiting"> {
  const { journal, services } = run;
  const log = new NodeLog(node.id, () => services.clock.now());
  if (isSkipped(node, ended)) {
    log.say("skipped");
    await recordEnd(run, log, { type: "done", output: null }, { isRepeatable: true });
    ended.set(node.id, null);
    return "ended";
  }
  const { isRepeatable } = node.type;
  await begin(run, node, log);
  try {
    const scope = scopeOf(node, ended);
    const { id, type, config, fields } = node;
    const result = await callNode(run, log, { id, type, config, fields, scope, prefix: `${id}/`, label: "" });
    if (result.type === "waiting") {
      await run.log.write(log, (rest) => journal.log(rest));
      return "waiting";
    }
    log.say((tookMs) => `finished in ${formatDuration(tookMs, { fine: true })}`);
    await recordEnd(
      run,
      log,
      { type: "done", output: result.output },
      { within: result.within, isRepeatable },
    );
    meter(run, node, log, "done");
    ended.set(node.id, result.output);
    return "ended";
  } catch (error) {
    if (run.signal.aborted || !(error instanceof NodeError || error instanceof LimitError)) throw error;
    log.say(`failed: ${reasonOf(error)}`);
    // After a limit there may be no room for a step or a line: the end of the run says it.
    if (error instanceof NodeError) {
      await recordEnd(run, log, { type: "failed", error: reasonOf(error) }, { isRepeatable });
      meter(run, node, log, "failed");
    }
    throw error;
  }
}

/**
 * Says that the node has started, once. Nodes that wait, also before they try again, keep over waits, in a step, when that
 * was (milliseconds since 1970); nodes that work outside show it at once; the lines of the others go with their end.
 */
async function begin(run: RunContext, node: PlannedNode, log: NodeLog): Promise<void> {
  const { journal } = run;
  const key = `${node.id}/begun`;
  const before = journal.steps.get(key)?.output;
  if (typeof before === "number") {
    log.begun = before;
    return;
  }
  log.say("started");
  const { config } = node;
  if (node.type.waits || ("retries" in config && config.retries !== undefined)) {
    await run.log.write(log, (lines) =>
      journal.record(key, { type: "done", output: log.begun }, { log: lines }),
    );
  } else if (node.type.timeoutMs !== null) await run.log.write(log, (lines) => journal.log(lines));
  // What it is about to do outside follows from what is recorded, and from nothing that may come out differently again.
  else if (!node.type.isRepeatable) await journal.log([]);
}

/** From its first line, as its log counts. */
function meter({ services }: RunContext, { type }: PlannedNode, log: NodeLog, outcome: "done" | "failed") {
  const now = services.clock.now().getTime();
  services.meters?.step("pipeline", type.type, outcome, Math.max(0, now - (log.begun ?? now)) / 1_000);
}

/** The node's end, with all that it has said. */
function recordEnd(
  { journal, log: runLog }: RunContext,
  log: NodeLog,
  outcome: Parameters<Journal["record"]>[1],
  options: Omit<StepOptions, "log">,
): Promise<void> {
  return runLog.write(log, (lines) => journal.record(log.id, outcome, { ...options, log: lines }));
}

function failed(failures: readonly { id: string; error: unknown }[]): Outcome {
  // Errors of the journal (killed, lost, stopping) and defects of ours are not the flow's: they pass through.
  const own = failures.find(({ error }) => error instanceof NodeError || error instanceof LimitError);
  if (!own) throw failures[0]?.error;
  return { type: "failed", error: failureSentence(own.id, reasonOf(own.error)) };
}

/** Why a node failed, on one line and without a full stop: it may come from a server or from code of the flow. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : "";
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 2_000).replace(/\.+$/, "");
}

function outputsOf(nodes: ReadonlyMap<string, PlannedNode>, ended: EndedSoFar): JsonObject {
  const outputs: [string, JsonValue][] = [];
  for (const { id, config } of nodes.values()) {
    const result = config.type === "output" ? ended.get(id) : undefined;
    if (config.type === "output" && result) outputs.push([nameOf(id, config), result.value ?? null]);
  }
  return Object.fromEntries(outputs);
}
