import { leftOf } from "./check-removed.ts";
import { isGivingUp, outOfOrder } from "./check-runs.ts";
import { brokenApproval, brokenConversation, isTooLate } from "./check-turns.ts";
import type { FlowStarted } from "./history.ts";
import type { World } from "./world.ts";

const outcomes = { approved: "approved", refused: "refused", lapsed: "lapsed" } as const;

/** What has gone wrong with flows, with what they asked people, and with what they said to the agent. */
export async function brokenFlows(world: World): Promise<string[]> {
  const removed = await world.database.removed();
  const broken: string[] = [];
  for (const flow of world.history.flows)
    broken.push(...(await brokenFlow(world, flow, removed.has(flow.id))));
  return broken;
}

async function brokenFlow(
  world: World,
  { id, message, told }: FlowStarted,
  isRemoved: boolean,
): Promise<string[]> {
  const { db } = world.database.fresh.store;
  const { history } = world;
  const row = await db.selectFrom("executions").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined && !isRemoved) return told === "accepted" ? [`${id} was accepted and is lost`] : [];
  const kills = history.kills.filter((kill) => kill.id === id);
  const mayBeEnded =
    row === undefined || row.state === "failed" || kills.some((kill) => kill.told !== "over");
  const { broken, answers } = await brokenTalk(world, message, mayBeEnded);
  if (row === undefined) return [...broken, ...(await leftOf(world, id))];
  const say = (what: string) => broken.push(`${id} ${what}`);
  const killed = kills.filter(({ told }) => told === "killed").length;
  if (killed > 1) say("was killed more than once");
  if (killed === 1 && row.state !== "terminated") say(`was killed, and is ${row.state}`);
  if (row.state === "terminated" && kills.every(({ told }) => told === "over"))
    say("is terminated, and no one killed it");
  const isExcused = (history.losses >= 5 && isGivingUp(row.error)) || isTooLate(world, row.error);
  if (row.state === "failed" && !isExcused) say(`failed: ${row.error}`);
  const below = await db.selectFrom("executions").selectAll().where("parent_id", "=", id).execute();
  const sub = below.find(({ kind }) => kind === "pipeline");
  const asked = async (runId: string) =>
    db.selectFrom("approvals").selectAll().where("run_id", "=", runId).orderBy("step_key").execute();
  const questions = [...(sub === undefined ? [] : await asked(sub.id)), ...(await asked(id))];
  for (const question of questions) broken.push(...brokenApproval(world, question, row));
  if (new Set(questions.map(({ step_key }) => step_key)).size !== questions.length || questions.length > 3)
    say(`asked ${questions.map(({ step_key }) => step_key).join()}`);
  if (below.length > 2) say(`started ${below.map((one) => one.id).join()}`);
  const outs = questions.map(({ state }) => Reflect.get(outcomes, state) ?? state);
  const expected = [...outs, ...answers].join(" ");
  const out = Reflect.get(Object(Reflect.get(Object(row.result), "outputs")), "out");
  if (row.state === "done" && out !== expected) say(`says ${out}, not ${expected}`);
  for (const one of [id, ...(sub === undefined ? [] : [sub.id])])
    broken.push(...(await outOfOrder(world, one)));
  return broken;
}

/** Of the conversation that it opened, if it did: what has gone wrong, and what the agent said. */
async function brokenTalk(world: World, message: string | null, mayBeEnded: boolean) {
  if (message === null) return { broken: [] as string[], answers: [] as (string | null)[] };
  const { db } = world.database.fresh.store;
  const opened = await db
    .selectFrom("messages")
    .select("interaction_id")
    .where("content", "=", message)
    .execute();
  const broken: string[] = opened.length > 1 ? [`${message} was said in ${opened.length} conversations`] : [];
  let answer: string | null = null;
  for (const { interaction_id: id } of opened) {
    const said = [{ message, sentAt: 0, toldAt: 0, told: "unknown" as const }];
    broken.push(...(await brokenConversation(world, { id, said }, mayBeEnded)));
    const last = await db
      .selectFrom("messages")
      .select("content")
      .where("interaction_id", "=", id)
      .where("seq", "=", 2)
      .executeTakeFirst();
    answer = last?.content ?? null;
  }
  return { broken, answers: [answer] };
}
