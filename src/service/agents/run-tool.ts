import { z } from "zod";
import { askLimits } from "../../contract/mcp.ts";
import type { Clock, Ids } from "../context.ts";
import type { AttachedRow } from "../engine/attached-rows.ts";
import { LimitError } from "../engine/engine-error.ts";
import type { Journal } from "../engine/kind.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { McpError } from "../mcp/mcp-error.ts";
import type { Meters } from "../meters.ts";
import type { ToolAnswer, ToolCall } from "../models/types.ts";
import { lapsedRows } from "../questions/rows.ts";
import { askedInCall, restlessServerWords } from "../questions/server-questions.ts";
import type { JsonValue } from "../store/json.ts";
import type { TraceOf } from "../traceparent.ts";
import { toolKey } from "../traces/span-keys.ts";
import type { Asking } from "./approvals/ask.ts";
import { type AnswerPlace, answerRows } from "./conversation-writes.ts";
import { answerPartId, type StoredPart, type ToolPart } from "./parts.ts";
import { putServerQuestions, recordAsks, refusalNote, turnAskKeys } from "./server-questions.ts";
import {
  capResult,
  definitionNow,
  type Tool,
  type ToolDefinition,
  type ToolOutcome,
  type ToolRun,
  type TurnFacts,
} from "./tools/tool.ts";

/** Which call of which answer, for keys and ids. */
export interface CallPlace {
  /** Of the model's answer in its turn, from 1. */
  readonly number: number;
  /** Of the call in that answer, from 0. */
  readonly index: number;
}

/** What was decided about a call before it is made. */
export type CallDecision =
  /** Nobody need be asked. */
  | { readonly type: "run" }
  | { readonly type: "agreed"; readonly args: JsonObject; readonly hash: string; readonly isEdited: boolean }
  /** Why it is not made, for the model. */
  | { readonly type: "refused"; readonly error: string; readonly rows?: readonly AttachedRow[] };

export interface ToolTurn {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly facts: TurnFacts;
  readonly place: AnswerPlace;
  /** Who answers what servers ask. */
  readonly asking: Asking;
  /** When calls began, by the id of their part; grows. */
  readonly startedAt: Map<string, string>;
  /** Undefined where the agent has no tool of that name. */
  readonly tool: Tool | undefined;
  readonly call: ToolCall;
  readonly decision: CallDecision;
  /** The one after it that can begin when this one has come back. */
  readonly next: { readonly call: ToolCall; readonly at: CallPlace } | undefined;
  readonly at: CallPlace;
  /** Milliseconds that are left of the turn's time. */
  readonly leftMs: () => number;
  readonly signal: AbortSignal;
  /** How the turn's trace is handed on; undefined: nobody traces it. */
  readonly traceOf: TraceOf | undefined;
  /** Where somebody counts. */
  readonly meters: Pick<Meters, "step"> | undefined;
}

/** What became of a call; `changed`: the tool is not what a person agreed to, and nothing was run. */
export type ToolResult =
  | { readonly type: "answer"; readonly answer: ToolAnswer }
  | { readonly type: "waiting" }
  | { readonly type: "changed"; readonly definition: ToolDefinition };

/** `args`: a person's, which ran in place of the model's. */
const recordedResult = z.object({ failed: z.boolean(), result: z.json(), args: z.json().optional() });

/** The key of the step that records a call. */
export const callKey = ({ number, index }: CallPlace) => `tool ${number} ${index}`;

/** A call of a tool as a part of the message that it belongs to. */
export function toolPart(
  { number, index }: CallPlace,
  call: ToolCall,
  state: ToolPart["toolCallState"],
  result: JsonValue,
  times: Pick<ToolPart, "started_at" | "finished_at"> = {},
): ToolPart {
  return {
    id: answerPartId("tool", number, index),
    type: "tool_invocation",
    toolCallId: call.id,
    toolName: call.name,
    toolCallState: state,
    result: { args: call.args, result },
    ...times,
  };
}

/**
 * Runs one tool call as one recorded step, or takes what was recorded. A call that starts an execution of its own waits
 * for it without holding a worker.
 */
export async function runTool(turn: ToolTurn): Promise<ToolResult> {
  const { journal, call, at } = turn;
  const key = callKey(at);
  if (!journal.steps.has(key)) {
    const outcome = await perform(turn, key);
    if (outcome.type === "waiting" || outcome.type === "changed") return outcome;
    await record(turn, key, outcome);
  }
  const { failed, result, args } = recordedResult.parse(journal.steps.get(key)?.output);
  const told = args === undefined ? result : { note: editedNote, arguments: args, result };
  return { type: "answer", answer: { id: call.id, name: call.name, failed, result: told } };
}

const editedNote = "A person changed the arguments of this call before it was made.";

type Ended = Exclude<ToolOutcome, { type: "spawn" | "asks" }>;
type Performed = Ended | Exclude<ToolResult, { type: "answer" }>;

async function perform(turn: ToolTurn, key: string): Promise<Performed> {
  const { journal, call, tool, decision } = turn;
  const childKey = `${key} run`;
  if (journal.steps.get(childKey) === undefined) {
    if (call.invalid !== undefined) return { type: "failed", error: call.invalid };
    if (tool === undefined) return { type: "failed", error: `There is no tool ${call.name}.` };
    if (decision.type === "refused") return { type: "failed", error: decision.error };
    const changed = decision.type === "agreed" ? await changeOf(turn, tool, decision.hash) : null;
    if (changed !== null) return changed;
    const outcome = await runAsking(turn, tool, key);
    if (outcome.type !== "spawn") return outcome;
    try {
      await waitForEnd(turn);
      await journal.spawn(childKey, outcome.child);
    } catch (error) {
      if (error instanceof LimitError) return { type: "failed", error: error.message };
      throw error;
    }
  }
  const step = journal.steps.get(childKey);
  if (step === undefined || step.state === "waiting") {
    await waitForEnd(turn);
    return { type: "waiting" };
  }
  if (step.state === "failed") return { type: "failed", error: step.error ?? "The run failed." };
  const outputs = isJsonObject(step.output) ? (step.output.outputs ?? {}) : {};
  return { type: "done", result: { run_id: step.childId, outputs } };
}

/** Runs the tool, and again with what people answered as often as its server asks. */
async function runAsking(
  turn: ToolTurn,
  tool: Tool,
  key: string,
): Promise<Exclude<ToolOutcome, { type: "asks" }> | { readonly type: "waiting" }> {
  const { journal, call, at, startedAt } = turn;
  for (;;) {
    const asked = askedInCall(journal.steps, turnAskKeys(key));
    if (asked.unasked.length > 0) {
      const part = toolPart(at, call, "approval_required", null);
      startedAt.delete(part.id);
      await putServerQuestions(turn, tool, argsOf(turn), part, asked);
    }
    if (asked.unasked.length > 0 || asked.isWaiting) return { type: "waiting" };
    const outcome = await tool.run(toolRun(turn, asked.answered));
    if (outcome.type !== "asks") return outcome;
    const round = asked.answered.length + 1;
    if (round > askLimits.rounds) return { type: "failed", error: restlessServerWords };
    await recordAsks(journal, key, outcome.asks, round);
  }
}

/** Wakes the turn when its time is over; anew where it has more time by then, as it had waited for people. */
async function waitForEnd({ journal, leftMs }: ToolTurn): Promise<void> {
  for (let number = 1; ; number++) {
    const key = number === 1 ? "deadline" : `deadline ${number}`;
    const step = journal.steps.get(key);
    if (step === undefined) return await journal.wait(key, leftMs());
    if (step.state === "waiting") return;
  }
}

/** What stands against a call of a tool that a person agreed to as it was: null where it is the same now. */
async function changeOf(
  { facts, signal }: ToolTurn,
  tool: Tool,
  agreedHash: string,
): Promise<Exclude<Performed, { type: "waiting" }> | null> {
  try {
    const definition = await definitionNow(tool, facts, signal);
    if (definition === null) return { type: "failed", error: `There is no tool ${tool.spec.name} any more.` };
    return definition.hash === agreedHash ? null : { type: "changed", definition };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof McpError) return { type: "failed", error: error.whole };
    throw error;
  }
}

/** What a call is made with: the model's arguments, or those that a person agreed to. */
const argsOf = ({ call, decision }: ToolTurn): JsonObject =>
  decision.type === "agreed" ? decision.args : asArguments(call);

/** The arguments of a call as the model gave them; none where they are no object. */
export function asArguments({ args }: ToolCall): JsonObject {
  return isJsonObject(args) ? args : {};
}

function toolRun(turn: ToolTurn, answered: ToolRun["answered"]): ToolRun {
  const { decision, facts, at, signal } = turn;
  // The execution's id stands last: file stores spread files by the end of their ids.
  const key = `${at.number}-${at.index}-${facts.executionId}`;
  const agreedHash = decision.type === "agreed" ? decision.hash : undefined;
  const trace = turn.traceOf?.(toolKey(at.number, at.index));
  return { args: argsOf(turn), facts, key, agreedHash, answered, signal, trace };
}

async function record(turn: ToolTurn, key: string, outcome: Ended): Promise<void> {
  const { journal, clock, ids, place, startedAt, call, decision, next, at } = turn;
  const failed = outcome.type === "failed";
  const asked = askedInCall(journal.steps, turnAskKeys(key));
  const note = refusalNote(asked.refusals);
  const came = capResult(failed ? outcome.error : outcome.result);
  const result = note === null ? came : { note, result: came };
  const now = clock.now();
  const finishedAt = now.toISOString();
  const began = startedAt.get(answerPartId("tool", at.number, at.index));
  const times = began === undefined ? {} : { started_at: began, finished_at: finishedAt };
  const edited = decision.type === "agreed" && decision.isEdited ? { args: decision.args } : {};
  const ran = { ...call, ...edited };
  const parts: StoredPart[] = [toolPart(at, ran, failed ? "failed" : "completed", result, times)];
  if (next) {
    const part = toolPart(next.at, next.call, "running", null, { started_at: finishedAt });
    startedAt.set(part.id, finishedAt);
    parts.push(part);
  }
  if (outcome.type === "done") parts.push(...(outcome.parts ?? []));
  const said = answerRows(ids, place, { parts });
  const own = outcome.type === "done" ? (outcome.rows ?? []) : [];
  const decided = decision.type === "refused" ? (decision.rows ?? []) : [];
  const output = { failed, result, ...edited };
  await journal.record(
    key,
    { type: "done", output },
    { rows: [said, ...own, ...decided, ...asked.lapsed.map(lapsedRows)] },
  );
  const tookMs = began === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(began));
  turn.meters?.step("turn", stepName(turn.tool), outcome.type, tookMs / 1_000);
}

/** One of a bounded number: tools of servers have any names, and models make some up. */
const stepName = (tool: Tool | undefined) =>
  tool === undefined ? "unknown" : tool.server === undefined ? tool.spec.name : "mcp";
