import { turnKind } from "../../service/agents/turn.ts";
import { brokenAnswers, toolsOf } from "./check-answers.ts";
import { leftOf } from "./check-removed.ts";
import { isGivingUp, outOfOrder } from "./check-runs.ts";
import type { Conversation } from "./history.ts";
import { readMessagesOf } from "./messages.ts";
import type { World } from "./world.ts";

const hourMs = 60 * 60 * 1_000;
/** What begins before the clock is turned has spent as much by then, at most. */
const spentMs = 60_000;
const dayMs = 24 * hourMs;

/** What has gone wrong with conversations, and with what they asked people. */
export async function brokenConversations(world: World): Promise<string[]> {
  const broken: string[] = [];
  const removed = await world.database.removed();
  for (const conversation of world.history.conversations) {
    const check = removed.has(conversation.id)
      ? leftOf(world, conversation.id)
      : brokenConversation(world, conversation);
    broken.push(...(await check));
  }
  for (const { key, ids } of world.history.repeats) {
    // A key is remembered for a day.
    if (new Set(ids).size > 1 && world.history.forwardMs < dayMs)
      broken.push(`${key} has two answers: ${ids.join()}`);
  }
  return broken;
}

/** @param mayBeEnded whether what started it may have ended its turn */
export async function brokenConversation(
  world: World,
  { id, said }: Pick<Conversation, "id" | "said">,
  mayBeEnded = false,
): Promise<string[]> {
  const { db } = world.database.fresh.store;
  const row = await db.selectFrom("interactions").selectAll().where("id", "=", id).executeTakeFirst();
  const accepted = said.filter(({ told }) => told === "accepted");
  if (row === undefined) return accepted.length > 0 ? [`${id} was accepted and is lost`] : [];
  const broken: string[] = [];
  const say = (what: string) => broken.push(`${id} ${what}`);
  if (row.state === "processing") say("is still processing");
  const messages = await readMessagesOf(db, id);
  const questions = messages.filter(({ role }) => role === "user");
  for (const [index, { role, seq }] of messages.entries()) {
    if (seq !== index + 1) say(`has message ${seq} at ${index + 1}`);
    if (role !== (index % 2 === 0 ? "user" : "assistant"))
      say(`has two messages of ${role} after each other`);
  }
  if (messages.length % 2 === 1) say("has a message without an answer");
  for (const { message, told } of said) {
    const times = questions.filter(({ content }) => content === message).length;
    if (times > 1 || (told === "accepted" && times === 0) || (told === "busy" && times > 0))
      say(`has ${message} ${times} times, which was ${told}`);
  }
  const seqOf = (message: string) => questions.findIndex(({ content }) => content === message);
  for (const one of accepted) {
    for (const other of accepted) {
      if (one.toldAt < other.sentAt && seqOf(one.message) > seqOf(other.message))
        say(`has ${other.message} before ${one.message}`);
    }
  }
  const turns = await db
    .selectFrom("executions")
    .selectAll()
    .where("subject_id", "=", id)
    .where("kind", "=", turnKind)
    .execute();
  if (turns.length !== questions.length) say(`has ${questions.length} messages and ${turns.length} turns`);
  for (const turn of turns) broken.push(...(await brokenTurn(world, turn, messages, mayBeEnded)));
  const ended = turns.map((turn) => ({ ...turn, ...placeOf(turn, messages) }));
  broken.push(...(await brokenAnswers(world, { id, turns: ended })));
  return broken;
}

interface TurnRow {
  readonly id: string;
  readonly state: string;
  readonly error: string | null;
  readonly epoch: number;
  readonly input: unknown;
}

type Messages = Awaited<ReturnType<typeof readMessagesOf>>;

/** Where the answer of a turn stands, with what it answers. */
function placeOf({ input }: Pick<TurnRow, "input">, messages: Messages) {
  const seq = Number(Reflect.get(Object(input), "messageSeq")) + 1;
  const contentAt = (place: number) => messages.find((one) => one.seq === place)?.content ?? null;
  return { seq, question: contentAt(seq - 1) ?? "", answer: contentAt(seq) };
}

async function brokenTurn(
  world: World,
  turn: TurnRow,
  messages: Messages,
  mayBeEnded: boolean,
): Promise<string[]> {
  const { db } = world.database.fresh.store;
  const { history, ledger } = world;
  const broken: string[] = [];
  const say = (what: string) => broken.push(`${turn.id} ${what}`);
  const kills = history.kills.filter(({ id }) => id === turn.id);
  const killed = kills.filter(({ told }) => told === "killed").length;
  if (killed > 1) say("was killed more than once");
  if (killed === 1 && turn.state !== "terminated") say(`was killed, and is ${turn.state}`);
  if (turn.state === "terminated" && !mayBeEnded && kills.every(({ told }) => told === "over"))
    say("is terminated, and no one killed it");
  const isGivenUp = history.losses >= 5 && isGivingUp(turn.error);
  const isLate = isTooLate(world, turn.error);
  if (turn.state === "failed" && !isGivenUp && !isLate) say(`failed: ${turn.error}`);
  const { question, answer } = placeOf(turn, messages);
  const approvals = await db
    .selectFrom("approvals")
    .selectAll()
    .where("execution_id", "=", turn.id)
    .execute();
  const tools = toolsOf(question);
  const attempts = ledger.attempts(turn.id);
  for (const [key, count] of attempts) {
    if (count > turn.epoch) say(`made call ${key} ${count} times in ${turn.epoch} hands`);
  }
  const made = tools.map((tool, index) => {
    const times = attempts.get(`1-${index}`) ?? 0;
    if (tool === "run") {
      if (turn.state === "done" && times === 0) say("is done without its call");
      return "made";
    }
    const states = approvals.map(({ state }) => state);
    const isApproved = states.includes("approved");
    if (times > 0 && !isApproved) say(`made a call that is ${states.join() || "not asked about"}`);
    if (turn.state === "done" && isApproved && times === 0) say("is done without a call that was approved");
    return isApproved ? "made" : "not made";
  });
  if (attempts.size > tools.length) say(`made ${attempts.size} calls, not ${tools.length}`);
  if (turn.state === "done" && answer !== `${question}: ${made.join(", ")}`)
    say(`answers ${question} with ${answer}, not ${made.join(", ")}`);
  if (approvals.length > tools.filter((tool) => tool === "ask").length)
    say(`asked ${approvals.length} times`);
  for (const approval of approvals) broken.push(...brokenApproval(world, approval, turn));
  broken.push(...(await outOfOrder(world, turn.id)));
  return broken;
}

/** Whether it failed as its time was over, where the clock of the database was turned forwards by as much. */
export const isTooLate = ({ history }: World, error: string | null) =>
  history.forwardMs >= hourMs - spentMs && (error ?? "").includes("took longer than its limit");

/** What has gone wrong with a question. */
export function brokenApproval(
  { history }: World,
  { id, state, answer }: { readonly id: string; readonly state: string; readonly answer: string | null },
  turn: Pick<TurnRow, "state">,
): string[] {
  const broken: string[] = [];
  const given = history.answers.filter((one) => one.id === id);
  const counted = given.filter(({ told }) => told === "counts");
  if (counted.length > 1) broken.push(`${id} took ${counted.length} answers`);
  if (state === "waiting") broken.push(`${id} waits, and its turn is ${turn.state}`);
  const [one] = counted;
  if (one !== undefined && answer !== one.answer) broken.push(`${id} took ${one.answer}, and is ${state}`);
  const isApprovedByNoOne =
    state === "approved" && given.every(({ told, answer }) => answer !== "approve" || told === "too late");
  if (isApprovedByNoOne) broken.push(`${id} is approved, and no one did`);
  if (state === "lapsed" && !history.lapses.includes(id) && history.losses === 0)
    broken.push(`${id} lapsed before its time`);
  return broken;
}
