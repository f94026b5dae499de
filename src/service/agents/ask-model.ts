import { z } from "zod";
import type { Clock } from "../context.ts";
import type { Journal, StepOptions } from "../engine/kind.ts";
import { ModelError } from "../models/model-error.ts";
import type { Models } from "../models/models.ts";
import type { ModelAnswer, ModelRequest } from "../models/types.ts";
import { type RetryPolicy, waitAfter } from "./retry.ts";

/** A model's answer as the journal keeps it. */
const recordedAnswer = z.object({
  text: z.string(),
  reasoning: z.string().nullable(),
  toolCalls: z.array(
    z.object({ id: z.string(), name: z.string(), args: z.json(), invalid: z.string().optional() }),
  ),
  finish: z.enum(["stop", "tools", "length", "filtered"]),
  usage: z.object({ input_tokens: z.number().nullable(), output_tokens: z.number().nullable() }),
});
export type RecordedAnswer = z.output<typeof recordedAnswer>;

const recordedFailure = z.object({ message: z.string(), waitMs: z.number().nullable() });

export type Asked =
  | { readonly type: "answer"; readonly answer: RecordedAnswer }
  | { readonly type: "waiting" }
  /** No other try is worth it; a sentence for a person. */
  | { readonly type: "failed"; readonly error: string };

export interface Ask {
  readonly models: Models;
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  readonly journal: Journal;
  /** The number of this call in its turn, from 1. */
  readonly number: number;
  readonly request: ModelRequest;
  /** What is written together with the answer. */
  readonly recording: (answer: ModelAnswer) => StepOptions;
  /** The end of the turn's time. */
  readonly deadline: Date;
}

/**
 * One call of the model, recorded when it has come. A call that fails is recorded as well; then the turn waits without
 * holding a worker and tries again, a bounded number of times.
 */
export async function askModel(ask: Ask): Promise<Asked> {
  const { journal, number, retry, request } = ask;
  const key = `model ${number}`;
  const recorded = journal.steps.get(key);
  if (recorded !== undefined) return { type: "answer", answer: recordedAnswer.parse(recorded.output) };
  for (let attempt = 1; ; attempt++) {
    const failureKey = `${key} failure ${attempt}`;
    if (!journal.steps.has(failureKey)) {
      const called = await call(ask, attempt);
      if (called.type === "answer") {
        const { answer } = called;
        const output = JSON.parse(JSON.stringify(answer));
        await journal.record(key, { type: "done", output }, ask.recording(answer));
        return { type: "answer", answer: recordedAnswer.parse(output) };
      }
      const { message, waitMs } = called;
      await journal.record(failureKey, { type: "done", output: { message, waitMs } });
    }
    const { message, waitMs } = recordedFailure.parse(journal.steps.get(failureKey)?.output);
    if (waitMs === null) {
      const times = attempt === 1 ? "" : ` It was tried ${attempt} times.`;
      return { type: "failed", error: `The model ${request.model} gave no answer. ${message}${times}` };
    }
    const waitKey = `${key} wait ${attempt}`;
    const wait = journal.steps.get(waitKey);
    if (wait === undefined) {
      const until = new Date(ask.clock.now().getTime() + waitMs);
      await journal.waitUntil(waitKey, until < ask.deadline ? until : ask.deadline);
    }
    if (journal.steps.get(waitKey)?.state === "waiting") return { type: "waiting" };
    if (attempt >= retry.attempts) return { type: "failed", error: message };
  }
}

type Called =
  | { readonly type: "answer"; readonly answer: ModelAnswer }
  | { readonly type: "failure"; readonly message: string; readonly waitMs: number | null };

async function call({ models, request, retry }: Ask, attempt: number): Promise<Called> {
  try {
    return { type: "answer", answer: await models.ask(request) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { type: "failure", message: error.message, waitMs: waitAfter(retry, attempt, error) };
  }
}
