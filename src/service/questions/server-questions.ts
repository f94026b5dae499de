import { z } from "zod";
import { askLimits } from "../../contract/mcp.ts";
import type { Step } from "../engine/kind.ts";
import type { AnsweredAsks, Asks, QuestionAnswer } from "../mcp/server-question.ts";
import type { FormValues } from "../store/schema-approvals.ts";
import { formValuesOf } from "./flow-question.ts";

/** Why the call of a server that asked more was given up. */
export const restlessServerWords = `The tool's server asked more than ${askLimits.rounds} times in one call. The call was given up.`;

/** What a server asked, as the step that records it has it. */
const recordedAsks = z.object({
  state: z.string().nullable(),
  questions: z.array(
    z.object({
      id: z.string(),
      digest: z.string(),
      refusal: z.string().nullable(),
      shown: z
        .object({
          message: z.string(),
          fields: z.array(z.record(z.string(), z.json())),
          link: z.object({ url: z.string(), host: z.string() }).nullable(),
        })
        .nullable(),
    }),
  ),
});
type RecordedAsks = z.output<typeof recordedAsks>;
/** One question of it. */
export type RecordedQuestion = RecordedAsks["questions"][number];

/** What the step that waited ends with, by an answer; by time alone it is null. */
const recordedAnswer = z
  .object({ action: z.enum(["accept", "decline", "cancel"]), values: formValuesOf.nullable() })
  .nullable();

/** @param values of an accepted form @returns what the step of a server's question ends with */
export function serverAnswerOf(
  answer: string | null,
  values: FormValues | null,
): NonNullable<z.output<typeof recordedAnswer>> {
  if (answer === "approve") return { action: "accept", values: values === null ? null : { ...values } };
  return { action: answer === "leave" ? "cancel" : "decline", values: null };
}

/** How the steps of one call are called that hold what its server asked, and that wait for answers. */
export interface AskKeys {
  /** @param round from 1 */
  asked(round: number): string;
  /** @param index of the question in its round, from 0 */
  wait(round: number, index: number): string;
}

/** What a server asked in one call so far. */
export interface AskedInCall {
  /** Rounds that are answered whole, in order. */
  readonly answered: readonly AnsweredAsks[];
  /** Questions that nobody was asked yet. */
  readonly unasked: readonly { readonly stepKey: string; readonly question: RecordedQuestion }[];
  readonly isWaiting: boolean;
  /** Steps of questions that nobody answered in time. */
  readonly lapsed: readonly string[];
  /** Why questions were not shown to anybody: rests of sentences. */
  readonly refusals: readonly string[];
}

/** Reads it from what is recorded. */
export function askedInCall(steps: { get(key: string): Step | undefined }, keys: AskKeys): AskedInCall {
  const answered: AnsweredAsks[] = [];
  const unasked: { stepKey: string; question: RecordedQuestion }[] = [];
  const lapsed: string[] = [];
  const refusals: string[] = [];
  let isWaiting = false;
  for (let round = 1; ; round++) {
    const asked = steps.get(keys.asked(round));
    if (asked === undefined) return { answered, unasked, isWaiting, lapsed, refusals };
    const { state, questions } = recordedAsks.parse(asked.output);
    const answers: { id: string; digest: string; answer: QuestionAnswer }[] = [];
    for (const [index, question] of questions.entries()) {
      const { id, digest, refusal } = question;
      if (refusal !== null) refusals.push(refusal);
      const stepKey = keys.wait(round, index);
      const step = steps.get(stepKey);
      if (question.shown === null) answers.push({ id, digest, answer: { action: "decline" } });
      else if (step === undefined) unasked.push({ stepKey, question });
      else if (step.state === "waiting") isWaiting = true;
      else {
        const given = recordedAnswer.parse(step.output);
        if (given === null) lapsed.push(stepKey);
        answers.push({ id, digest, answer: toldServer(given, question.shown?.link != null) });
      }
    }
    answered.push({ state, answers });
  }
}

/**
 * What is told to the server: without the fields that were left empty.
 * @param isOfPage whether it asked for a page to be opened, which has no fields
 */
export function toldServer(given: z.output<typeof recordedAnswer>, isOfPage: boolean): QuestionAnswer {
  if (given === null) return { action: "cancel" };
  if (given.action !== "accept") return { action: given.action };
  if (isOfPage) return { action: "accept" };
  const filled = Object.entries(given.values ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return { action: "accept", content: Object.fromEntries(filled) };
}

/** What a server asked, as the step has it that records it, so that people are asked once whatever stops meanwhile. */
export function recordableAsks(asks: Asks): RecordedAsks {
  return recordedAsks.parse(JSON.parse(JSON.stringify(asks)));
}
