import { z } from "zod";
import type { Clock, Ids } from "../context.ts";
import { LimitError } from "../engine/engine-error.ts";
import type { Journal } from "../engine/kind.ts";
import type { ToolAnswer, ToolCall } from "../models/types.ts";
import type { JsonValue } from "../store/json.ts";
import { type AnswerPlace, addParts, beganAt, replacePart } from "./conversation-writes.ts";
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
  /** Undefined where the agent has no tool of that name. */
  readonly tool: Tool | undefined;
  readonly call: ToolCall;
  /** The one after it in the same answer, which begins when this one has come back. */
  readonly next: ToolCall | undefined;
  readonly at: CallPlace;
  readonly deadline: Date;
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
      await journal.waitUntil("deadline", turn.deadline);
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
  { journal, clock, ids, place, call, next, at }: ToolTurn,
  key: string,
  outcome: Ended,
): Promise<void> {
  const failed = outcome.type === "failed";
  const result = capResult(failed ? outcome.error : outcome.result);
  const parts: readonly StoredPart[] = outcome.type === "done" ? (outcome.parts ?? []) : [];
  await journal.record(
    key,
    { type: "done", output: { failed, result } },
    {
      within: async (tx) => {
        if (outcome.type === "done") await outcome.within?.(tx);
        const now = clock.now().toISOString();
        const began = await beganAt(tx, place, toolPart(at, call, "running", null).id);
        const times = began === null ? {} : { started_at: began, finished_at: now };
        await replacePart(tx, place, toolPart(at, call, failed ? "failed" : "completed", result, times));
        const after = { number: at.number, index: at.index + 1 };
        if (next) await replacePart(tx, place, toolPart(after, next, "running", null, { started_at: now }));
        if (parts.length > 0) await addParts(tx, ids, place, parts);
      },
    },
  );
}
