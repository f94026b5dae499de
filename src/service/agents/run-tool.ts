import { z } from "zod";
import type { Clock, Ids } from "../context.ts";
import { LimitError } from "../engine/engine-error.ts";
import type { Journal } from "../engine/kind.ts";
import type { ToolAnswer, ToolCall } from "../models/types.ts";
import type { JsonValue } from "../store/json.ts";
import { type AnswerPlace, answerRows } from "./conversation-writes.ts";
import { isRecord } from "./metadata.ts";
import { answerPartId, type StoredPart, type ToolPart } from "./parts.ts";
import { capResult, type Tool, type ToolOutcome, type ToolRun, type TurnFacts } from "./tools/tool.ts";

/** Which call of which answer, for keys and ids. */
export interface CallPlace {
  /** Of the model's answer in its turn, from 1. */
  readonly number: number;
  /** Of the call in that answer, from 0. */
  readonly index: number;
}

export interface ToolTurn {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly facts: TurnFacts;
  readonly place: AnswerPlace;
  /** When calls began, by the id of their part; grows. */
  readonly startedAt: Map<string, string>;
  /** Undefined where the agent has no tool of that name. */
  readonly tool: Tool | undefined;
  readonly call: ToolCall;
  /** The one after it in the same answer, which begins when this one has come back. */
  readonly next: ToolCall | undefined;
  readonly at: CallPlace;
  /** Milliseconds that are left of the turn's time. */
  readonly leftMs: () => number;
  readonly signal: AbortSignal;
}

const recordedResult = z.object({ failed: z.boolean(), result: z.json() });

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
export async function runTool(turn: ToolTurn): Promise<ToolAnswer | "waiting"> {
  const { journal, call, at } = turn;
  const key = `tool ${at.number} ${at.index}`;
  if (!journal.steps.has(key)) {
    const outcome = await perform(turn, key);
    if (outcome === "waiting") return "waiting";
    await record(turn, key, outcome);
  }
  const { failed, result } = recordedResult.parse(journal.steps.get(key)?.output);
  return { id: call.id, name: call.name, failed, result };
}

type Ended = Exclude<ToolOutcome, { type: "spawn" }>;

async function perform(turn: ToolTurn, key: string): Promise<Ended | "waiting"> {
  const { journal, call, tool } = turn;
  const childKey = `${key} run`;
  const child = journal.steps.get(childKey);
  if (child === undefined) {
    if (call.invalid !== undefined) return { type: "failed", error: call.invalid };
    if (tool === undefined) return { type: "failed", error: `There is no tool ${call.name}.` };
    const outcome = await tool.run(toolRun(turn));
    if (outcome.type !== "spawn") return outcome;
    try {
      // Ends the wait when the turn's time is over.
      await journal.wait("deadline", turn.leftMs());
      await journal.spawn(childKey, outcome.child);
    } catch (error) {
      if (error instanceof LimitError) return { type: "failed", error: error.message };
      throw error;
    }
  }
  const step = journal.steps.get(childKey);
  if (step === undefined || step.state === "waiting") return "waiting";
  if (step.state === "failed") return { type: "failed", error: step.error ?? "The run failed." };
  const outputs = isRecord(step.output) ? (step.output.outputs ?? {}) : {};
  return { type: "done", result: { run_id: step.childId, outputs } };
}

function toolRun({ call, facts, at, signal }: ToolTurn): ToolRun {
  const args = isRecord(call.args) ? call.args : {};
  // The execution's id stands last: file stores spread files by the end of their ids.
  const key = `${at.number}-${at.index}-${facts.executionId}`;
  return { args, facts, key, signal };
}

async function record(
  { journal, clock, ids, place, startedAt, call, next, at }: ToolTurn,
  key: string,
  outcome: Ended,
): Promise<void> {
  const failed = outcome.type === "failed";
  const result = capResult(failed ? outcome.error : outcome.result);
  const now = clock.now().toISOString();
  const began = startedAt.get(answerPartId("tool", at.number, at.index));
  const times = began === undefined ? {} : { started_at: began, finished_at: now };
  const parts: StoredPart[] = [toolPart(at, call, failed ? "failed" : "completed", result, times)];
  if (next) {
    const part = toolPart({ ...at, index: at.index + 1 }, next, "running", null, { started_at: now });
    startedAt.set(part.id, now);
    parts.push(part);
  }
  if (outcome.type === "done") parts.push(...(outcome.parts ?? []));
  const said = answerRows(ids, place, { parts });
  const own = outcome.type === "done" ? (outcome.rows ?? []) : [];
  await journal.record(key, { type: "done", output: { failed, result } }, { rows: [said, ...own] });
}
