import { createHash } from "node:crypto";
import { z } from "zod";
import { askModel, keyOfCall } from "../agents/ask-model.ts";
import type { RetryPolicy } from "../agents/retry.ts";
import { anySignal } from "../any-signal.ts";
import type { Clock } from "../context.ts";
import type { Execution, Journal, Kind, Outcome } from "../engine/kind.ts";
import { toJsonValue } from "../json.ts";
import { shareOf } from "../limiter.ts";
import { inputTokens, type ModelLimits } from "../models/limits.ts";
import type { Models } from "../models/models.ts";
import { estimateTokens } from "../models/tokens.ts";
import type { ModelMessage } from "../models/types.ts";
import type { Store } from "../store/store.ts";
import { startTimeLimit, type TimeLimit } from "../time-limit.ts";
import { answerSchema, type Judgement, readJudgement } from "./judgement.ts";
import { type JudgePrompt, judgeInstructions, judgeMessage, tryAgain } from "./question.ts";
import { readConversation } from "./read-conversation.ts";
import { beginResult, dropResult, endResult } from "./result-rows.ts";
import { readRubric } from "./rubric.ts";
import { goesOn, readSubject, type Subject, subject } from "./subject.ts";
import { transcriptCharacters } from "./transcript.ts";
import { createCodeJudge, makeVerdict } from "./verdict.ts";

/** The name of the kind, in `executions.kind`. Its id is that of the result, its subject the interaction. */
export const evaluationKind = "evaluation";

/** The `input` of such an execution. `quiet`: it waits until the conversation has been quiet for a while. */
const evaluationInput = z.object({ quiet: z.boolean() });

export interface EvaluationServices {
  readonly store: Pick<Store, "db" | "query">;
  readonly clock: Clock;
  readonly models: Models;
  readonly retry: RetryPolicy;
  /** How long no further turn may come before a debounced evaluation begins, in milliseconds. */
  readonly quietMs: number;
  /** How long the model may take for its answers, and how long it is waited for between them, in milliseconds. */
  readonly limitMs: number;
}

/** A model whose answers cannot be used is asked so often in all. */
const answersAtMost = 3;

/**
 * An evaluation: decides what code can decide, asks the model for the rest, and writes the result in the transaction that
 * ends it. What it judges and each answer of the model are recorded steps: after a crash nothing is asked again.
 */
export function createEvaluationKind(services: EvaluationServices): Kind {
  return {
    advance: (execution, journal) => advance(services, execution, journal),
    ended: (tx, execution, end) => endResult(tx, execution.id, end),
  };
}

async function advance(
  services: EvaluationServices,
  execution: Execution,
  journal: Journal,
): Promise<Outcome> {
  const { quiet } = evaluationInput.parse(execution.input);
  if (quiet && !(await isQuiet(services, execution, journal))) return { type: "waiting" };
  const about = await begin(services, execution, journal);
  if (about === null) return { type: "done", result: null };
  const rubric = readRubric(about.rubric);
  const code = createCodeJudge(rubric.criteria);
  const transcript = await readConversation(services.store, about, code);
  const byCode = code.decided();
  const left = rubric.criteria.filter(({ id }) => !byCode.has(id));
  if (about.model === null) return done(makeVerdict(rubric, about, byCode, null));
  const asked = { rubric, criteria: left };
  const question = (cuts: number): JudgePrompt => ({
    ...{ asked, schema: answerSchema(asked), agent: about.agent, mark: markOf(execution) },
    conversation: transcript.text(transcriptCharacters / 2 ** cuts),
  });
  const judged = await judge(services, journal, { execution, about, model: about.model, question });
  if (judged.type !== "judged") return judged;
  return done(makeVerdict(rubric, about, byCode, judged.judgement));
}

/** Between two looks at a conversation whose next turn takes long, in milliseconds at most. */
const longestLookMs = 3_600_000;

/**
 * Whether nothing has come for a while. In the middle of a further turn a conversation is not quiet: the end of that turn
 * takes this evaluation back, unless it was stopped.
 */
async function isQuiet(
  { store: { db }, clock, quietMs }: EvaluationServices,
  { id, createdAt }: Execution,
  journal: Journal,
): Promise<boolean> {
  for (let look = 1; ; look++) {
    const key = look === 1 ? "quiet" : `quiet ${look}`;
    const step = journal.steps.get(key);
    if (step === undefined) {
      if (look > 1 && (journal.steps.has("begin") || !(await goesOn(db, id)))) return true;
      const quietFor = look === 1 ? clock.now().getTime() - createdAt.getTime() : 0;
      const longest = Math.max(quietMs, longestLookMs);
      await journal.wait(key, Math.min(quietMs * 2 ** Math.max(0, look - 2), longest) - quietFor);
    }
    if (journal.steps.get(key)?.state === "waiting") return false;
  }
}

function done(verdict: unknown): Outcome {
  return { type: "done", result: toJsonValue(verdict) };
}

/** The mark is the hash of an id that nobody outside the service has seen. */
function markOf({ id }: Execution): string {
  return createHash("sha256").update(`mark ${id}`).digest("hex").slice(0, 24);
}

/** Settles what is judged, once. @returns null where the evaluation is dropped */
async function begin(
  { store: { db }, clock }: EvaluationServices,
  { id }: Execution,
  journal: Journal,
): Promise<Subject | null> {
  if (!journal.steps.has("begin")) {
    const found = await readSubject(db, id, clock.now());
    const output = toJsonValue(found);
    await journal.record(
      "begin",
      { type: "done", output },
      {
        within: (tx) => (found === null ? dropResult(tx, id) : beginResult(tx, id)),
      },
    );
  }
  return subject.nullable().parse(journal.steps.get("begin")?.output ?? null);
}

interface Judging {
  readonly execution: Execution;
  readonly about: Subject;
  readonly model: string;
  /** @param cuts each leaves half of the conversation's newest part */
  readonly question: (cuts: number) => JudgePrompt;
}

type Judged =
  | Extract<Outcome, { type: "waiting" | "failed" }>
  | { readonly type: "judged"; readonly judgement: Judgement };

/** A conversation of which less is left says too little to be judged. */
const maxHalvings = 6;

/** How often the conversation has to be halved, by our own count, to be read at once. */
function cutsToFit(limits: ModelLimits, { question }: Judging): number {
  const room = inputTokens(limits, null) / limits.margin;
  let cuts = 0;
  while (cuts < maxHalvings && estimateTokens(judgeMessage(question(cuts))) > room) cuts++;
  return cuts;
}

/** Lets the model judge for as long as it may; what it waits for a place of its provider is not counted. */
async function judge(services: EvaluationServices, journal: Journal, judging: Judging): Promise<Judged> {
  const limit = startTimeLimit(services.limitMs);
  try {
    return await askUntilUsable(services, journal, judging, limit);
  } catch (error) {
    const { aborted, reason } = limit.signal;
    if (!aborted || journal.signal.aborted || error !== reason) throw error;
    const seconds = services.limitMs / 1_000;
    return {
      type: "failed",
      error: `The model ${judging.model} took longer than the limit of ${seconds} seconds.`,
    };
  } finally {
    limit.end();
  }
}

/** Asks the model until its answer fits the question, a bounded number of times. */
async function askUntilUsable(
  services: EvaluationServices,
  journal: Journal,
  judging: Judging,
  limit: TimeLimit,
): Promise<Judged> {
  const { execution, about, model, question } = judging;
  const signal = anySignal([journal.signal, limit.signal]);
  const share = shareOf(execution, execution.id);
  const requester = { share, onWait: limit.pause, onStart: limit.resume };
  const { asked: rubric, schema } = question(0);
  const system = judgeInstructions(question(0));
  let cutsBefore = cutsToFit(services.models.limits(model), judging);
  /** What the model answered that could not be used, and what it was told of it. */
  const corrections: ModelMessage[] = [];
  // A server may refuse a schema that it cannot enforce: then the words of the question must do.
  let enforced = true;
  let wrong = "";
  for (let number = 1; number <= answersAtMost; number++) {
    const asked = await askModel({
      ...services,
      journal,
      model,
      number,
      leftMs: () => Date.parse(about.at) + services.limitMs - services.clock.now().getTime(),
      mayCut: (cuts) => cutsBefore + cuts <= maxHalvings,
      request: (cuts) => ({
        ...{ model, system, tools: [], temperature: null, maxTokens: null },
        messages: [{ role: "user", text: judgeMessage(question(cutsBefore + cuts)) }, ...corrections],
        output: enforced ? schema : undefined,
        idempotencyKey: keyOfCall(execution.id, number, cuts),
        ...{ signal, requester },
      }),
      recording: () => ({}),
    });
    if (asked.type === "waiting") return asked;
    if (asked.type === "failed") {
      const refusedAtOnce = number === 1 && !journal.steps.has("model 1 wait 1");
      if (!refusedAtOnce || !enforced) return asked;
      enforced = false;
      continue;
    }
    cutsBefore += asked.cuts;
    const judgement = readJudgement(asked.answer.text, rubric);
    if (typeof judgement !== "string") return { type: "judged", judgement };
    wrong = judgement;
    const said = asked.answer.text.slice(0, 20_000) || "(nothing)";
    corrections.push(
      { role: "assistant", text: said, toolCalls: [] },
      { role: "user", text: tryAgain(wrong) },
    );
  }
  const error = `The model ${model} gave no answer that could be used, although it was asked ${answersAtMost} times. ${wrong}`;
  return { type: "failed", error };
}
