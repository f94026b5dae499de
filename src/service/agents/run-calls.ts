import type { CallMode } from "../../contract/agent-settings.ts";
import type { JsonObject } from "../json.ts";
import type { ToolAnswer, ToolCall } from "../models/types.ts";
import { lapsedRows } from "../questions/rows.ts";
import {
  type Asking,
  ask,
  type LastQuestion,
  lapsedWords,
  lastQuestion,
  refusedWords,
  roundsAtMost,
  stepAnswer,
} from "./approvals/ask.ts";
import { answerRows } from "./conversation-writes.ts";
import { answerPartId } from "./parts.ts";
import {
  asArguments,
  type CallDecision,
  type CallPlace,
  callKey,
  runTool,
  type ToolTurn,
  toolPart,
} from "./run-tool.ts";
import { definitionOf, type Tool, type ToolDefinition } from "./tools/tool.ts";

/** The turn whose calls are made, and what holds for them. */
export interface CallsTurn
  extends Pick<
    ToolTurn,
    "journal" | "clock" | "ids" | "facts" | "place" | "startedAt" | "leftMs" | "signal" | "traceOf" | "meters"
  > {
  readonly tools: ReadonlyMap<string, Tool>;
  /** How a tool is called, as code decides: nothing that a model, a tool or a message says goes into it. */
  readonly modeOf: (tool: Tool) => CallMode;
  readonly asking: Asking;
}

type Decided = CallDecision | { readonly type: "waiting" };

/**
 * Makes the calls of one of the model's answers. What a person must agree to is asked at once, all of it; the others are
 * made meanwhile, one after the other.
 * @param number of the answer in its turn, from 1
 * @returns their answers in order; null: the turn waits
 */
export async function runCalls(
  turn: CallsTurn,
  number: number,
  calls: readonly ToolCall[],
): Promise<readonly ToolAnswer[] | null> {
  const decisions: Decided[] = [];
  for (const [index, call] of calls.entries()) decisions.push(await decide(turn, call, { number, index }));
  const answers: ToolAnswer[] = [];
  for (const [index, call] of calls.entries()) {
    const decision = decisions[index];
    if (decision === undefined || decision.type === "waiting") continue;
    const at = { number, index };
    const next = nextOf(turn, number, calls, decisions, index);
    const one = { ...turn, tool: turn.tools.get(call.name), call, next, at };
    begin(turn, at);
    const came = await runTool({ ...one, decision });
    if (came.type === "waiting") return null;
    if (came.type === "answer") answers.push(came.answer);
    else {
      const question = lastQuestion(turn.journal.steps, callKey(at));
      if ((question?.round ?? 0) < roundsAtMost) await put(turn, call, at, came.definition, question);
      else {
        const refused = await runTool({ ...one, decision: { type: "refused", error: restlessWords } });
        if (refused.type === "answer") answers.push(refused.answer);
      }
    }
  }
  return answers.length === calls.length ? answers : null;
}

const restlessWords = "The tool changed each time that a person had agreed to its call. It was not made.";

/** A call that comes after one that waits has begun now. */
function begin({ journal, clock, startedAt }: CallsTurn, at: CallPlace): void {
  if (journal.steps.has(callKey(at)) || startedAt.has(partOf(at))) return;
  startedAt.set(partOf(at), clock.now().toISOString());
}

/** The next call that is made: the one after it that nobody has to be asked about, and that has not come back. */
function nextOf(
  { journal }: CallsTurn,
  number: number,
  calls: readonly ToolCall[],
  decisions: readonly Decided[],
  after: number,
): ToolTurn["next"] {
  for (const [index, call] of calls.entries()) {
    const isOpen = index > after && decisions[index]?.type !== "waiting";
    const at = { number, index };
    if (isOpen && !journal.steps.has(callKey(at))) return { call, at };
  }
  return undefined;
}

/** Whether a call is made, asking first where that is to be done. */
async function decide(turn: CallsTurn, call: ToolCall, at: CallPlace): Promise<Decided> {
  const { journal, tools } = turn;
  const tool = tools.get(call.name);
  // What cannot be called, or has come back, need not be asked about.
  if (call.invalid !== undefined || tool === undefined || journal.steps.has(callKey(at))) return run;
  const mode = turn.modeOf(tool);
  if (mode === "never") return { type: "refused", error: `The tool ${call.name} must not be called.` };
  const question = lastQuestion(journal.steps, callKey(at));
  if (question === null) {
    if (mode === "run") return run;
    await put(turn, call, at, definitionOf(tool), null);
    return { type: "waiting" };
  }
  if (question.step.state === "waiting") return { type: "waiting" };
  return decisionOf(turn, call, at, question);
}

const run: CallDecision = { type: "run" };

function decisionOf(
  turn: CallsTurn,
  call: ToolCall,
  at: CallPlace,
  { key, step }: LastQuestion,
): CallDecision {
  const answered = stepAnswer.parse(step.output);
  if (answered === null) {
    return { type: "refused", error: lapsedWords(turn.asking.lapseSeconds), rows: [lapsedRows(key)] };
  }
  if (answered.answer === "refuse") return { type: "refused", error: refusedWords(answered.reason) };
  // Of no definition: it is asked again, about the tool as it is now.
  if (answered.answer === "tool_changed") {
    return { type: "agreed", args: asArguments(call), hash: "", isEdited: false };
  }
  turn.startedAt.set(partOf(at), answered.at);
  const args: JsonObject = JSON.parse(answered.argumentsText);
  const isEdited = answered.answer === "approve_edited";
  return { type: "agreed", args, hash: answered.definitionHash, isEdited };
}

const partOf = ({ number, index }: CallPlace) => answerPartId("tool", number, index);

/** Puts the question about a call, which the conversation shows as waiting from then on. */
async function put(
  turn: CallsTurn,
  call: ToolCall,
  at: CallPlace,
  definition: ToolDefinition,
  before: LastQuestion | null,
): Promise<void> {
  const { facts, place, asking, startedAt } = turn;
  startedAt.delete(partOf(at));
  const said = answerRows(turn.ids, place, { parts: [toolPart(at, call, "approval_required", null)] });
  const question = { call: callKey(at), partId: partOf(at), facts, place, asking, definition };
  await ask(turn, { ...question, args: asArguments(call) }, before, said);
}
