import { z } from "zod";
import { formatDuration } from "../../../contract/duration.ts";
import type { Ids } from "../../context.ts";
import type { AttachedRow } from "../../engine/attached-rows.ts";
import type { Journal, Step } from "../../engine/kind.ts";
import type { JsonObject } from "../../json.ts";
import { askedRows } from "../../questions/rows.ts";
import type { ApprovalRule } from "../../store/schema-approvals.ts";
import type { AnswerPlace } from "../conversation-writes.ts";
import type { ToolDefinition, TurnFacts } from "../tools/tool.ts";

/** Whom an agent asks, and for how long. */
export interface Asking {
  readonly who: ApprovalRule;
  readonly people: readonly string[];
  readonly lapseSeconds: number;
}

/** What was answered, as the end of the step that waited: written by `answer.ts`, and by time alone as null. */
export const stepAnswer = z
  .union([
    z.object({
      answer: z.enum(["approve", "approve_edited"]),
      /** JSON text of what runs. */
      argumentsText: z.string(),
      definitionHash: z.string(),
      at: z.string(),
    }),
    z.object({ answer: z.literal("refuse"), reason: z.string().nullable() }),
    z.object({ answer: z.literal("tool_changed") }),
  ])
  .nullable();
export type StepAnswer = z.output<typeof stepAnswer>;

/** The question that was asked last about one call; each further one has a step of its own. */
export interface LastQuestion {
  readonly round: number;
  readonly key: string;
  readonly step: Step;
}

const keyOf = (call: string, round: number) => `ask ${round} ${call}`;

/** @param call the key of the call's own step */
export function lastQuestion(steps: Journal["steps"], call: string): LastQuestion | null {
  let last: LastQuestion | null = null;
  for (let round = 1; ; round++) {
    const key = keyOf(call, round);
    const step = steps.get(key);
    if (step === undefined) return last;
    last = { round, key, step };
  }
}

/** Whether a turn has asked anything. */
export function hasAsked(steps: Journal["steps"]): boolean {
  return [...steps.keys()].some((key) => key.startsWith("ask "));
}

/**
 * Whether it waits for nothing but people, and runs that its tools started, which say the same of themselves. The time that
 * it may take is no wait of its own.
 */
export function waitsForPeople(steps: Journal["steps"]): boolean {
  return [...steps.values()].every(
    ({ key, state, childId }) =>
      state !== "waiting" || childId !== null || key.startsWith("ask ") || key.startsWith("deadline"),
  );
}

/** What a question is about. */
export interface CallQuestion {
  readonly call: string;
  readonly partId: string;
  readonly facts: TurnFacts;
  readonly place: AnswerPlace;
  readonly asking: Asking;
  readonly definition: ToolDefinition;
  readonly args: JsonObject;
}

/** A tool that changes each time that it is looked at is asked about no more than this. */
export const roundsAtMost = 20;

/**
 * Asks: the turn has a step more, which waits for the answer and no longer than the question may wait.
 * @param before the question in whose place it stands
 * @param said what the conversation shows of it
 */
export async function ask(
  { journal, ids }: { readonly journal: Journal; readonly ids: Ids },
  question: CallQuestion,
  before: LastQuestion | null,
  said: AttachedRow,
): Promise<void> {
  const { call, partId, facts, place, asking, definition, args } = question;
  const { hash, toolCallId, ...words } = definition;
  const stepKey = keyOf(call, (before?.round ?? 0) + 1);
  const asked = askedRows({
    kind: "tool_call",
    id: ids.make("ask"),
    stepKey,
    interactionId: place.interactionId,
    messageSeq: place.seq,
    partId,
    agentId: facts.agentId,
    userId: facts.userId,
    teamId: facts.teamId,
    toolCallId,
    definition: { ...words },
    definitionHash: hash,
    argumentsText: JSON.stringify(args),
    who: asking.who,
    people: asking.people,
    againForStep: before?.key ?? null,
    lapseSeconds: asking.lapseSeconds,
  });
  await journal.wait(stepKey, asking.lapseSeconds * 1000, { rows: [said, asked] });
}

/** What the model is told of a call that nobody agreed to. */
export function lapsedWords(seconds: number): string {
  return `This call needs a person's approval, and nobody answered within ${formatDuration(seconds * 1000)}. It was not made.`;
}

/** The same of one that a person refused. */
export function refusedWords(reason: string | null): string {
  const why = reason === null ? "" : ` Their reason: ${reason}`;
  return `A person refused this call, so it was not made.${why}`;
}
