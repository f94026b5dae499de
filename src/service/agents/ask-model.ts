import { z } from "zod";
import type { Journal, StepOptions } from "../engine/kind.ts";
import { ModelError } from "../models/model-error.ts";
import type { Models } from "../models/models.ts";
import type { ModelAnswer, ModelRequest } from "../models/types.ts";
import type { TraceHeaders } from "../traceparent.ts";
import { type RetryPolicy, waitAfter } from "./retry.ts";

/** A model's answer as the journal keeps it. */
const recordedAnswer = z.object({
  text: z.string(),
  reasoning: z.string().nullable(),
  thoughts: z
    .array(
      z.object({
        text: z.string(),
        signature: z.string().optional(),
        redacted: z.string().optional(),
        textBefore: z.number(),
      }),
    )
    .optional(),
  toolCalls: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      args: z.json(),
      invalid: z.string().optional(),
      signature: z.string().optional(),
    }),
  ),
  finish: z.enum(["stop", "tools", "length", "filtered"]),
  usage: z.object({ input_tokens: z.number().nullable(), output_tokens: z.number().nullable() }),
});
export type RecordedAnswer = z.output<typeof recordedAnswer>;

const recordedFailure = z.object({ message: z.string(), waitMs: z.number().nullable() });

export type AskResult =
  /** `cuts`: how often the request was made shorter before it was taken. */
  | { readonly type: "answer"; readonly answer: RecordedAnswer; readonly cuts: number }
  | { readonly type: "waiting" }
  /** No other try is worth it; a sentence for a person. */
  | { readonly type: "failed"; readonly error: string };

export interface AskOptions {
  readonly models: Models;
  /** `<provider>/<model>`. */
  readonly model: string;
  readonly retry: RetryPolicy;
  readonly journal: Journal;
  /** The number of this call in its turn, from 1. */
  readonly number: number;
  /** The request. `cuts`: how often the provider found one too long; each makes it shorter. */
  readonly request: (cuts: number) => ModelRequest;
  /** Whether that would leave out more than one time less. */
  readonly mayCut: (cuts: number) => boolean;
  /** What is written together with the answer. */
  readonly recording: (answer: ModelAnswer, cuts: number) => StepOptions;
  /** Milliseconds that are left of the turn's time. */
  readonly leftMs: () => number;
  /** How the turn's trace is handed on to one try. @param attempt from 1 */
  readonly trace?: (attempt: number) => TraceHeaders | undefined;
}

/**
 * The key under which a provider may recognise a repeated call. A request that was made shorter has a key of its own.
 * @param number of the call in its execution, from 1
 */
export function keyOfCall(executionId: string, number: number, cuts: number): string {
  return `${executionId}:model-${number}${cuts === 0 ? "" : `-${cuts}`}`;
}

/** How often a request is made shorter for a provider that finds it too long. */
const maxCuts = 6;

/**
 * One call of the model, recorded when it has come. A call that fails is recorded as well; then the turn waits without
 * holding a worker and tries again, a bounded number of times. A request that is too long is made shorter and asked again
 * at once, a bounded number of times.
 */
export async function askModel(ask: AskOptions): Promise<AskResult> {
  const { journal, number, retry } = ask;
  const key = `model ${number}`;
  const cutKey = (cut: number) => `${key} too long ${cut}`;
  let cuts = 0;
  while (journal.steps.has(cutKey(cuts + 1))) cuts++;
  const recorded = journal.steps.get(key);
  if (recorded !== undefined) return { type: "answer", answer: recordedAnswer.parse(recorded.output), cuts };
  for (let attempt = 1; ; attempt++) {
    const failureKey = `${key} failure ${attempt}`;
    while (!journal.steps.has(failureKey)) {
      const called = await call(ask, ask.request(cuts), attempt);
      if (called.type === "answer") {
        const { answer } = called;
        const output = JSON.parse(JSON.stringify(answer));
        await journal.record(key, { type: "done", output }, ask.recording(answer, cuts));
        return { type: "answer", answer: recordedAnswer.parse(output), cuts };
      }
      const { isTooLong, waitMs, failure } = called;
      if (isTooLong && cuts < maxCuts && ask.mayCut(cuts + 1)) {
        await journal.record(cutKey(++cuts), { type: "done", output: { message: called.message } });
      } else {
        const message = isTooLong ? `${called.message} ${tooMuch}` : called.message;
        await journal.record(failureKey, { type: "done", output: { message, waitMs, failure } });
      }
    }
    const { message, waitMs } = recordedFailure.parse(journal.steps.get(failureKey)?.output);
    if (waitMs === null) {
      const times = attempt === 1 ? "" : ` It was tried ${attempt} times.`;
      return { type: "failed", error: `The model ${ask.model} gave no answer. ${message}${times}` };
    }
    const waitKey = `${key} wait ${attempt}`;
    const wait = journal.steps.get(waitKey);
    if (wait === undefined) {
      await journal.wait(waitKey, Math.min(waitMs, ask.leftMs()));
    }
    if (journal.steps.get(waitKey)?.state === "waiting") return { type: "waiting" };
    if (attempt >= retry.attempts) return { type: "failed", error: message };
  }
}

const tooMuch = "It is too long for this model, and nothing more can be left out.";

type Called =
  | { readonly type: "answer"; readonly answer: ModelAnswer }
  | {
      readonly type: "failure";
      readonly message: string;
      /** Which kind of failure, for whoever looks at the trace. */
      readonly failure: string;
      readonly waitMs: number | null;
      readonly isTooLong: boolean;
    };

async function call(
  { models, retry, trace }: AskOptions,
  request: ModelRequest,
  attempt: number,
): Promise<Called> {
  try {
    return { type: "answer", answer: await models.ask({ ...request, trace: trace?.(attempt) }) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { message, failure } = error;
    const waitMs = waitAfter(retry, attempt, error);
    return { type: "failure", message, failure, waitMs, isTooLong: failure === "too_long" };
  }
}
