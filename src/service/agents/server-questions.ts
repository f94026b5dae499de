import { z } from "zod";
import type { Ids } from "../context.ts";
import type { Journal } from "../engine/kind.ts";
import type { RowsOfStep } from "../engine/record-steps.ts";
import type { AnsweredAsks, Asks, QuestionAnswer } from "../mcp/server-question.ts";
import { formValuesOf } from "../questions/flow-question.ts";
import { askedRows, lapsedRows } from "../questions/rows.ts";
import type { FormValues } from "../store/schema-approvals.ts";
import type { Asking } from "./approvals/ask.ts";
import { type AnswerPlace, answerRows } from "./conversation-writes.ts";
import type { JsonRecord } from "./metadata.ts";
import type { StoredPart } from "./parts.ts";
import type { Tool, TurnFacts } from "./tools/tool.ts";

/** What a server may ask in one call, one time after the other. */
export const roundsInCall = 5;

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
type RecordedQuestion = RecordedAsks["questions"][number];

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

const askedKey = (call: string, round: number) => `asked ${round} ${call}`;
const waitKey = (call: string, round: number, index: number) => `ask server ${round}.${index} ${call}`;

/** What a server asked in one call so far. */
export interface AskedInCall {
  /** Rounds that are answered whole, in order. */
  readonly answered: readonly AnsweredAsks[];
  /** Questions that nobody was asked yet. */
  readonly unasked: readonly { readonly stepKey: string; readonly question: RecordedQuestion }[];
  readonly isWaiting: boolean;
  /** Of questions that nobody answered in time. */
  readonly lapsed: readonly RowsOfStep[];
  /** Why questions were not shown to anybody: rests of sentences. */
  readonly refusals: readonly string[];
}

/** @param call the key of the call's own step */
export function askedInCall(steps: Journal["steps"], call: string): AskedInCall {
  const answered: AnsweredAsks[] = [];
  const unasked: { stepKey: string; question: RecordedQuestion }[] = [];
  const lapsed: RowsOfStep[] = [];
  const refusals: string[] = [];
  let isWaiting = false;
  for (let round = 1; ; round++) {
    const asked = steps.get(askedKey(call, round));
    if (asked === undefined) return { answered, unasked, isWaiting, lapsed, refusals };
    const { state, questions } = recordedAsks.parse(asked.output);
    const answers: { id: string; digest: string; answer: QuestionAnswer }[] = [];
    for (const [index, question] of questions.entries()) {
      const { id, digest, refusal } = question;
      if (refusal !== null) refusals.push(refusal);
      const stepKey = waitKey(call, round, index);
      const step = steps.get(stepKey);
      if (question.shown === null) answers.push({ id, digest, answer: { action: "decline" } });
      else if (step === undefined) unasked.push({ stepKey, question });
      else if (step.state === "waiting") isWaiting = true;
      else {
        const given = recordedAnswer.parse(step.output);
        if (given === null) lapsed.push(lapsedRows(stepKey));
        answers.push({ id, digest, answer: told(given, question) });
      }
    }
    answered.push({ state, answers });
  }
}

/** What is told to the server: without the fields that were left empty. */
function told(given: z.output<typeof recordedAnswer>, { shown }: RecordedQuestion): QuestionAnswer {
  if (given === null) return { action: "cancel" };
  if (given.action !== "accept") return { action: given.action };
  if (shown?.link != null) return { action: "accept" };
  const filled = Object.entries(given.values ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return { action: "accept", content: Object.fromEntries(filled) };
}

/** Records what a server asked, so that it is asked of people whatever stops meanwhile. */
export async function recordAsks(journal: Journal, call: string, asks: Asks, round: number): Promise<void> {
  const output = recordedAsks.parse(JSON.parse(JSON.stringify(asks)));
  await journal.record(askedKey(call, round), { type: "done", output });
}

/** The turn and the call in which a server asks. */
interface AskingCall {
  readonly journal: Journal;
  readonly ids: Ids;
  readonly facts: TurnFacts;
  readonly place: AnswerPlace;
  readonly asking: Asking;
}

/** Puts the questions that nobody was asked yet: the turn has a step more for each, which waits for the answer. */
export async function putServerQuestions(
  { journal, ids, facts, place, asking }: AskingCall,
  tool: Tool,
  args: JsonRecord,
  part: StoredPart,
  { unasked }: AskedInCall,
): Promise<void> {
  const { server, toolCallId = tool.spec.name, name = tool.spec.name } = tool.server?.definition ?? {};
  for (const { stepKey, question } of unasked) {
    const { message = "", fields = [], link = null } = question.shown ?? {};
    const asked = askedRows({
      kind: "server",
      id: ids.make("ask"),
      stepKey,
      interactionId: place.interactionId,
      messageSeq: place.seq,
      partId: part.id,
      agentId: facts.agentId,
      userId: facts.userId,
      teamId: facts.teamId,
      toolCallId,
      definition: { name, server: server ?? null, question: message, details: null, fields, link },
      definitionHash: question.digest,
      argumentsText: JSON.stringify(args),
      who: asking.who,
      people: asking.people,
      againForStep: null,
      lapseSeconds: asking.lapseSeconds,
    });
    const said = answerRows(ids, place, { parts: [part] });
    await journal.wait(stepKey, asking.lapseSeconds * 1000, { rows: [said, asked] });
  }
}

/** What the model is told beside the answer of a tool whose server asked what nobody is shown. */
export function refusalNote(refusals: readonly string[]): string | null {
  if (refusals.length === 0) return null;
  return `The tool's server ${[...new Set(refusals)].join(", and ")}. That was declined without asking anybody.`;
}

export const restlessServerWords = `The tool's server asked more than ${roundsInCall} times in one call. The call was given up.`;
