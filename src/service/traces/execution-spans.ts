import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../store/schema.ts";
import { contentOf, known, partSpan, type SpanPart, type TreeTrace } from "./part-span.ts";
import {
  readCallTimes,
  readMarks,
  readNodes,
  readResult,
  readSaid,
  readSteps,
  readTakeovers,
  type Takeover,
  type TracedExecution,
} from "./read-tree.ts";
import { heldEvents, nodeSpans } from "./run-spans.ts";
import type { Attributes, Span, SpanEvent } from "./span.ts";
import { keyOfStep, spanIdOf, wholeKey } from "./span-keys.ts";
import { saidBy, turnSpans } from "./turn-spans.ts";

/** What the journal says of one execution that has ended, as spans: its own, and those of what it did. */
export async function executionSpans(
  db: Kysely<Database>,
  trace: TreeTrace,
  execution: TracedExecution,
  withContents: boolean,
): Promise<readonly Span[]> {
  const takeovers = await readTakeovers(db, execution.id);
  const told = await tell(db, execution, takeovers, withContents);
  const parts = told.parts.map((part) => partSpan(trace, execution.id, part));
  const own = ownSpan(trace, execution, told, takeovers, withContents);
  return linked([own, ...parts], takeovers);
}

/** What is known of an execution beyond its row. */
interface Told {
  readonly name: string;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly parts: readonly SpanPart[];
}

async function tell(
  db: Kysely<Database>,
  execution: TracedExecution,
  takeovers: readonly Takeover[],
  withContents: boolean,
): Promise<Told> {
  const times = takeovers.map(({ at }) => at);
  switch (execution.kind) {
    case "pipeline":
      return await tellRun(db, execution, withContents);
    case "turn":
      return await tellTurn(db, execution, times, withContents);
    case "evaluation":
      return await tellEvaluation(db, execution, times, withContents);
    case "knowledge":
      return {
        ...{ name: execution.kind, events: [], parts: [] },
        attributes: { "wheelhouse.source.id": execution.subject_id },
      };
    default:
      return { name: execution.kind, attributes: {}, events: [], parts: [] };
  }
}

async function tellRun(
  db: Kysely<Database>,
  { id, name, subject_id, version, finished_at }: TracedExecution,
  withContents: boolean,
): Promise<Told> {
  const marks = await readMarks(db, id);
  const nodes = await readNodes(db, version);
  const steps = await readSteps(db, id, false);
  const result = withContents ? await readResult(db, id) : null;
  return {
    name: name === null ? "invoke_workflow" : `invoke_workflow ${name}`,
    attributes: known({
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": name,
      "wheelhouse.run.id": id,
      "wheelhouse.flow.id": subject_id,
      "wheelhouse.run.result": result === null ? null : contentOf(result),
    }),
    events: heldEvents(marks),
    parts: nodeSpans({ marks, steps, nodes, finishedAt: finished_at.getTime(), withContents }),
  };
}

async function tellTurn(
  db: Kysely<Database>,
  execution: TracedExecution,
  takeovers: readonly number[],
  withContents: boolean,
): Promise<Told> {
  const { id, name, subject_id, agent_id, message_seq, started_at, created_at, finished_at } = execution;
  const model = execution.model ?? "";
  const said =
    withContents && message_seq !== null
      ? await readSaid(db, subject_id, message_seq)
      : { question: null, answer: null };
  const { finish, usage, state } = execution;
  return {
    name: name === null ? "invoke_agent" : `invoke_agent ${name}`,
    attributes: known({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": model.split("/")[0] || null,
      "gen_ai.agent.id": agent_id,
      "gen_ai.agent.name": name,
      "gen_ai.conversation.id": subject_id,
      "gen_ai.request.model": model.slice(model.indexOf("/") + 1) || null,
      "wheelhouse.turn.id": id,
      "gen_ai.input.messages": said.question === null ? null : contentOf(saidBy("user", said.question)),
      "gen_ai.output.messages": said.answer === null ? null : contentOf(saidBy("assistant", said.answer)),
    }),
    events: [],
    parts: turnSpans({
      steps: await readSteps(db, id, withContents),
      ...{ model, takeovers, withContents },
      last: state === "done" ? { finish, usage, text: said.answer } : null,
      startedAt: (started_at ?? created_at).getTime(),
      finishedAt: finished_at.getTime(),
      callTimes: await readCallTimes(db, subject_id, (message_seq ?? 0) + 1),
    }),
  };
}

const judgedBy = z.object({ model: z.string().nullable() });

async function tellEvaluation(
  db: Kysely<Database>,
  { id, subject_id, finished_at, started_at, created_at }: TracedExecution,
  takeovers: readonly number[],
  withContents: boolean,
): Promise<Told> {
  const steps = await readSteps(db, id, withContents);
  // Before it begins, it may have waited for its conversation to become quiet.
  const begin = steps.find(({ key }) => key === "begin");
  const { model } = judgedBy.parse(begin?.output ?? { model: null });
  const startedAt = begin?.finished_at ?? started_at ?? created_at;
  return {
    name: "evaluate",
    attributes: known({
      "gen_ai.conversation.id": subject_id,
      "gen_ai.request.model": model === null ? null : model.slice(model.indexOf("/") + 1),
      "wheelhouse.evaluation.id": id,
    }),
    events: [],
    parts:
      model === null
        ? []
        : turnSpans({
            ...{ steps, model, takeovers, withContents, last: null, callTimes: new Map() },
            startedAt: startedAt.getTime(),
            finishedAt: finished_at.getTime(),
          }),
  };
}

function ownSpan(
  trace: TreeTrace,
  execution: TracedExecution,
  { name, attributes, events }: Told,
  takeovers: readonly Takeover[],
  withContents: boolean,
): Span {
  const { id, kind, parent_id, parent_kind, parent_step, state, error, created_at, started_at } = execution;
  const { traceId, traceState, callerSpanId } = trace;
  const isFailed = state === "failed";
  const above =
    parent_id === null ? null : spanIdOf(parent_id, keyOfStep(parent_kind ?? "", parent_step ?? ""));
  const begun: SpanEvent[] =
    started_at === null ? [] : [{ name: "wheelhouse.started", at: started_at.getTime(), attributes: {} }];
  const taken = takeovers.map(({ at, how }) => ({ name: `wheelhouse.${how}`, at, attributes: {} }));
  const start = created_at.getTime();
  return {
    ...{ traceId, traceState, spanId: spanIdOf(id, wholeKey), name, start, links: [] },
    parentSpanId: above ?? callerSpanId,
    isParentRemote: above === null && callerSpanId !== null,
    // What somebody asked us for is served; what a run or a turn asks for is part of it.
    kind: parent_id === null && kind !== "evaluation" ? "server" : "internal",
    end: Math.max(start, execution.finished_at.getTime()),
    attributes: {
      ...attributes,
      "wheelhouse.state": state,
      ...(isFailed ? { "error.type": `${kind === "pipeline" ? "run" : kind}_failed` } : {}),
    },
    events: [...begun, ...events, ...taken].sort((one, other) => one.at - other.at),
    error: isFailed ? { message: withContents ? error : null } : null,
  };
}

/**
 * The same spans with a link for each takeover and hand-over: from what the next worker did first to what the one before had done last.
 * Where it did nothing but end, or the one before had done nothing yet, the execution's own span is meant.
 */
function linked([own, ...parts]: readonly Span[], takeovers: readonly Takeover[]): readonly Span[] {
  if (own === undefined) return [];
  const links = new Map<Span, Span["links"]>();
  for (const { at, how } of takeovers) {
    const before = parts.filter(({ end }) => end <= at).sort((one, other) => other.end - one.end)[0] ?? own;
    const after = parts.filter(({ end }) => end > at).sort((one, other) => one.end - other.end)[0] ?? own;
    const { traceId, spanId } = before;
    const link = { traceId, spanId, attributes: { "wheelhouse.link": how } };
    links.set(after, [...(links.get(after) ?? []), link]);
  }
  return [own, ...parts].map((span) => ({ ...span, links: links.get(span) ?? [] }));
}
