import { formatDuration } from "../../contract/duration.ts";
import { anySignal } from "../any-signal.ts";
import type { Journal } from "../engine/kind.ts";
import { isJsonObject, type JsonObject, toJsonValue } from "../json.ts";
import type { Requester } from "../limiter.ts";
import {
  type NodeCall,
  NodeError,
  type NodeResult,
  type NodeSteps,
  type NodeType,
  type RunFacts,
} from "../nodes/node.ts";
import type { NodeServices } from "../nodes/services.ts";
import { askedRows, lapsedRows } from "../questions/rows.ts";
import { startTimeLimit, type TimeLimit } from "../time-limit.ts";
import type { TraceOf } from "../traceparent.ts";
import { keyOfNodeStep } from "../traces/span-keys.ts";
import type { Fields } from "./fields.ts";
import { placeWait } from "./place-wait.ts";
import type { NodeLog, RunLog } from "./run-log.ts";
import { TemplateError } from "./template.ts";

/** What all nodes of one run share. */
export interface RunContext {
  readonly journal: Journal;
  readonly log: RunLog;
  readonly services: NodeServices;
  readonly facts: RunFacts;
  /** The journal's signal, another node's failure and, for a node inside another, that of the one around it. */
  readonly signal: AbortSignal;
  /** How the run's trace is handed on; undefined: nobody traces it. */
  readonly traceOf: TraceOf | undefined;
}

/** What is called: a node of the flow, or one inside `each`. */
interface Target {
  readonly id: string;
  /** Before each step key of this call. */
  readonly prefix: string;
  readonly type: NodeType;
  readonly config: Called;
  readonly fields: Fields;
  readonly scope: JsonObject;
  /** Before what it says, for nodes inside `each`. */
  readonly label: string;
}

interface Called {
  readonly type: string;
  readonly timeout_s?: number | undefined;
  readonly retries?: { readonly times: number; readonly delay_s: number } | undefined;
}

/**
 * Calls a node's function once, within its time limit. A passing fault becomes a durable wait before the next attempt
 * where the node asks for it.
 * @throws NodeError; errors of the journal
 */
export async function callNode(run: RunContext, log: NodeLog, target: Target): Promise<NodeResult> {
  const { type, config, scope } = target;
  const steps = prefixedSteps(run, log, target.prefix);
  const tried = attemptsSoFar(steps);
  if (tried.waiting) return { type: "waiting" };
  const timeoutMs = config.timeout_s === undefined ? type.timeoutMs : config.timeout_s * 1_000;
  const limit = timeoutMs === null || type.timesItself ? null : startTimeLimit(timeoutMs);
  const signal = limit ? anySignal([run.signal, limit.signal]) : run.signal;
  const say = (text: string) => log.say(target.label + text);
  const place = placeWait({
    ...{ facts: run.facts, signal, limit, say },
    isFirst: () => log.isFirstWait(),
    write: () => run.log.write(log, (lines) => run.journal.log(lines)),
  });
  try {
    const fields = await fieldsOf(target, steps, () => fillIn(target, place.requester, run.signal, limit));
    const call: NodeCall<unknown> = {
      ...{ id: target.id, config, steps, signal, timeoutMs, say },
      key: `${run.facts.runId}:${target.prefix.replace(/\/$/, "")}`,
      requester: place.requester,
      fields,
      facts: run.facts,
      services: run.services,
      trace: run.traceOf?.(keyOfNodeStep(target.prefix)),
      holds: (list, index) => target.fields.holds(list, index, scope, place.requester),
      inner: (field, name, variables, until) =>
        callInner({ ...run, signal: until }, log, target, field, name, variables),
    };
    return await type.run(call);
  } catch (error) {
    const fault = asNodeError(error, limit, timeoutMs);
    if (run.signal.aborted || !(fault instanceof NodeError)) throw fault;
    const { retries } = config;
    if (!retries || !fault.passing || tried.count >= retries.times) throw fault;
    const wait = retries.delay_s * 1_000 * 2 ** tried.count * (0.75 + Math.random() / 2);
    say(
      `tries again in ${formatDuration(wait, { fine: true })}: ${fault.message} (attempt ${tried.count + 1} of ${retries.times + 1})`,
    );
    await steps.wait(`retry${tried.count + 1}`, wait);
    return { type: "waiting" };
  } finally {
    limit?.end();
    await place.end();
  }
}

/**
 * A node that waits, tries again, writes a file or reaches outside is called again with what it had: where its fields may come
 * out differently by then, they are kept. Else an `each` would find another list under the numbers of its items, whoever was
 * called before would get another request under the same key, and a file could hold what its run does not say of it.
 */
async function fieldsOf(
  { type, config, fields }: Target,
  steps: NodeSteps,
  fill: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const isCalledOnce = !type.waits && type.staysInside && !type.writesFile && config.retries === undefined;
  if (isCalledOnce || fields.isStable) return await fill();
  const kept = steps.get("filled")?.output;
  if (isJsonObject(kept)) return kept;
  const filled = await fill();
  await steps.record("filled", filled);
  return filled;
}

/** Not within the node's own time: what takes long here takes turns with others, and has a limit of its own. */
async function fillIn(
  { fields, scope }: Target,
  requester: Requester,
  signal: AbortSignal,
  limit: TimeLimit | null,
): Promise<JsonObject> {
  limit?.pause();
  const onStart = () => {
    requester.onStart?.();
    limit?.pause();
  };
  const filled = await fields.resolve(scope, { ...requester, signal, onStart });
  limit?.resume();
  return filled;
}

function callInner(
  run: RunContext,
  log: NodeLog,
  outer: Target,
  field: string,
  name: string,
  variables: JsonObject,
): Promise<NodeResult> {
  const inner = outer.fields.inner.get(field);
  if (!inner) throw new NodeError(`there is no node in ${field}`);
  return callNode(run, log, {
    ...inner,
    id: outer.id,
    prefix: `${outer.prefix}${name}/`,
    scope: { ...outer.scope, ...variables },
    label: `${outer.label}${name}: `,
  });
}

function asNodeError(error: unknown, limit: TimeLimit | null, timeoutMs: number | null): unknown {
  if (limit?.signal.aborted && !(error instanceof NodeError)) {
    return new NodeError(`it took longer than ${(timeoutMs ?? 0) / 1_000} s`, {
      passing: true,
      cause: error,
    });
  }
  if (error instanceof TemplateError) return new NodeError(error.message, { cause: error });
  return error;
}

function attemptsSoFar(steps: NodeSteps): { count: number; waiting: boolean } {
  for (let count = 0; ; count++) {
    const retry = steps.get(`retry${count + 1}`);
    if (!retry) return { count, waiting: false };
    if (retry.state === "waiting") return { count, waiting: true };
  }
}

/** Whether a step is one that waits for people. */
export const isAsk = (stepKey: string): boolean => /\/(ask|question\d+)$/.test(stepKey);
/** Whether a step is the time that something below the run may take. */
export const isLimit = (stepKey: string): boolean => stepKey.endsWith("/limit");

function prefixedSteps({ journal, log: runLog, facts }: RunContext, log: NodeLog, prefix: string): NodeSteps {
  const write = (
    lines: readonly string[] = [],
    work: (options: { log: readonly string[] }) => Promise<void>,
  ) => {
    for (const line of lines) log.say(line);
    return runLog.write(log, (said) => work({ log: said }));
  };
  return {
    get: (key) => journal.steps.get(prefix + key),
    wait: (key, ms, lines) => write(lines, (said) => journal.wait(prefix + key, ms, said)),
    spawn: (key, child, lines, { within, limitSeconds } = {}) => {
      const limit =
        limitSeconds === undefined ? undefined : { key: `${prefix}limit`, ms: limitSeconds * 1_000 };
      return write(lines, (said) => journal.spawn(prefix + key, child, { ...said, within, limit }));
    },
    ask: (key, { question, details, fields, call, ...asked }, lines) => {
      const { runId, flowId, userId, teamId } = facts;
      const tool = call === null ? {} : { name: call.name, server: call.server, link: call.link };
      const definition = { question, details, fields: toJsonValue(fields), ...tool };
      const of = { stepKey: prefix + key, runId, flowId, userId, teamId, definition };
      const ofCall = call === null ? null : { ...call, definitionHash: call.digest };
      const rows = [askedRows({ ...asked, ...of, call: ofCall })];
      return write(lines, (said) =>
        journal.wait(prefix + key, asked.lapseSeconds * 1_000, { ...said, rows }),
      );
    },
    lapse: (key) => {
      const rows = [lapsedRows(prefix + key)];
      return write([], (said) =>
        journal.record(`${prefix + key}/lapsed`, { type: "done", output: null }, { ...said, rows }),
      );
    },
    record: (key, output, lines) =>
      write(lines, (said) => journal.record(prefix + key, { type: "done", output }, said)),
    fail: (key, error) => write([], (said) => journal.record(prefix + key, { type: "failed", error }, said)),
  };
}
