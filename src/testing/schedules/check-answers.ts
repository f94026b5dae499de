import { sql } from "kysely";
import { answerNumber, type StoredPart } from "../../service/agents/parts.ts";
import type { World } from "./world.ts";

/** A turn that has ended, with what it was told and what its conversation shows as its answer. */
interface EndedTurn {
  readonly id: string;
  readonly state: string;
  /** The place of its answer. */
  readonly seq: number;
  readonly question: string;
  readonly answer: string | null;
}

/** The tools that the model of a schedule calls, by what it is told. */
export function toolsOf(question: string): string[] {
  const plan = question.slice(question.indexOf(" ") + 1).split(" and ");
  return ["run", "ask"].filter((tool) => plan.includes(tool));
}

/** What is wrong with what the ends of a conversation's turns left in it: its state, its parts and what it has cost. */
export async function brokenAnswers(
  { database }: World,
  { id, turns }: { readonly id: string; readonly turns: readonly EndedTurn[] },
): Promise<string[]> {
  const { db } = database.fresh.store;
  const { state, error, input_tokens, output_tokens } = await db
    .selectFrom("interactions")
    .select(["state", "error", "input_tokens", "output_tokens"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const broken: string[] = [];
  const say = (what: string) => broken.push(`${id} ${what}`);
  const last = turns.toSorted((a, b) => a.seq - b.seq).at(-1);
  if (last !== undefined && state !== (last.state === "done" ? "completed" : "failed"))
    say(`is ${state}, and its last turn ${last.state}`);
  if ((state === "failed") !== (error !== null)) say(`is ${state} with the error ${error}`);
  const rows = await db
    .selectFrom("message_parts")
    .select(["message_seq", sql<StoredPart>`part`.as("part")])
    .where("interaction_id", "=", id)
    .execute();
  let answers = 0;
  for (const turn of turns) {
    const parts = rows.filter(({ message_seq }) => message_seq === turn.seq).map(({ part }) => part);
    answers += answersIn(parts).size;
    broken.push(...brokenParts(turn, parts));
  }
  // Each answer of the model costs one of either.
  if (Number(input_tokens) !== answers || Number(output_tokens) !== answers)
    say(`has ${answers} answers of its model, and cost ${input_tokens} and ${output_tokens}`);
  return broken;
}

const answersIn = (parts: readonly StoredPart[]) =>
  new Set(parts.map(answerNumber).filter((number) => number !== null));

function brokenParts({ id, state, question, answer }: EndedTurn, parts: readonly StoredPart[]): string[] {
  const broken: string[] = [];
  const say = (what: string) => broken.push(`${id} ${what}`);
  const calls = parts.filter(({ type }) => type === "tool_invocation");
  for (const part of parts) {
    if (part.type === "tool_invocation" && !["completed", "failed"].includes(part.toolCallState))
      say(`is ${state}, and shows a call that is ${part.toolCallState}`);
  }
  const errors = parts.filter(({ type }) => type === "error").length;
  if (errors !== (state === "done" ? 0 : 1)) say(`is ${state}, and shows ${errors} errors`);
  if (state !== "done") return broken;
  const tools = toolsOf(question);
  if (calls.length !== tools.length) say(`is done, and shows ${calls.length} calls, not ${tools.length}`);
  const answers = answersIn(parts).size;
  if (answers !== (tools.length === 0 ? 1 : 2)) say(`is done, and shows ${answers} answers of its model`);
  const texts = parts.flatMap((part) => (part.type === "text" ? part.text : []));
  if (texts.join() !== answer) say(`says ${answer}, and shows ${texts.join()}`);
  return broken;
}
