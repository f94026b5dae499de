import { setTimeout as delay } from "node:timers/promises";
import { continueConversation, newConversation, writeConversation } from "../../service/agents/start-turn.ts";
import { startOnce } from "../../service/areas/idempotent-start.ts";
import { nothingChanged } from "../../service/audit/record.ts";
import { randomIds } from "../../service/context.ts";
import type { NewExecution } from "../../service/engine/kind.ts";
import { tenantOf } from "../../service/engine/shares.ts";
import { sweep } from "../../service/engine/sweep.ts";
import { pipeline } from "../../service/pipelines/kind.ts";
import { writeRunInput } from "../../service/pipelines/run-input.ts";
import { removeExpired } from "../../service/retention/remove-expired.ts";
import { readRules } from "../../service/retention/rules.ts";
import { answerCall } from "../answer-call.ts";
import { personCaller } from "../callers.ts";
import { startOf } from "../scripted-kind.ts";
import { until } from "../until.ts";
import { type Action, givingPlace, type Of, type Plan, tenantAt, tenants } from "./actions.ts";
import { runAgain } from "./again.ts";
import type { Conversation, FlowStarted, PartsRun, RunStarted, Said, Tenant } from "./history.ts";
import { kill, killMany } from "./kills.ts";
import { mendAll, patiently } from "./mend.ts";
import type { Process } from "./process.ts";
import { answer, waitingQuestions } from "./questions.ts";
import type { World } from "./world.ts";

const [actor] = tenants;
/** All that has ended goes, however young. */
const retention = readRules({ runs: "0d", failed_runs: "0d", conversations: "0d", teams: {} });
const caller = personCaller("user_ada", []);

/** Lets one thing happen. What is asked of a process goes on meanwhile. */
export async function happen(world: World, action: Action): Promise<void> {
  const { database, history, processes } = world;
  switch (action.do) {
    case "run":
      return run(world, action);
    case "talk":
      return talk(world, action);
    case "flow":
      return flow(world, action);
    case "parts":
      return parts(world, action);
    case "change":
      return patiently(world.parts.change);
    case "again":
      return runAgain(world, action);
    case "continue":
      return goOn(world, action);
    case "repeat":
      return repeat(world, action);
    case "answer":
      return answer(world, action);
    case "kill":
      return kill(world, action);
    case "kill many":
      return killMany(world, action);
    case "limit":
      return database.limit(tenantOf(tenantAt(action.who)).limitKey, action.most);
    case "clear away":
      return clearAway(world, action);
    case "die":
    case "stop": {
      const process = world.processAt(action.at);
      world.lose(process);
      if (processes.length === 0) await world.startOne();
      history.losses += 1;
      if (action.do === "die") process.kill();
      world.background(action.do === "die" ? process.closed() : process.stop(action.graceMs));
      return;
    }
    case "die at":
      if (processes.length === 1) await world.startOne();
      return dieWhenSaying(world, world.processAt(action.at), action.text);
    case "leave a place":
      return leavePlace(world, action);
    case "start a process":
      return processes.length < 3 ? world.startOne() : undefined;
    case "stand still":
      return standStill(world, action);
    case "cut":
      return world.processAt(action.at).proxy.cut();
    case "break":
      return world.processAt(action.at).proxy.breakAt(action.text, action.when);
    case "silence":
      return world.processAt(action.at).proxy.hang();
    case "mend":
      return mendAll(world);
    case "throw out":
      return database.throwOut();
    case "fail over":
      return database.setReadOnly(action.isReadOnly);
    case "disk":
      return database.setFull(action.isFull);
    case "jump":
      if (action.whose === "machine") return world.jumpMachine(action.ms);
      history.losses += 1;
      history.forwardMs += Math.max(0, action.ms);
      return database.jump(action.ms);
    case "come due":
      return comeDue(world, action);
    case "pass":
      await delay(action.ms);
      return;
    case "wait for questions":
      await world.answered();
      await until("people are asked", async () => (await waitingQuestions(world)).length >= action.count);
  }
}

/** It dies just before the database hears that, whenever it says it: unless it is the last one then. */
function dieWhenSaying(world: World, process: Process, text: string): void {
  process.proxy.beforeSent(text, () => {
    if (world.processes.length < 2 || process.isLeaving()) return;
    world.lose(process);
    world.history.losses += 1;
    process.kill();
    world.background(process.closed());
  });
}

async function leavePlace(world: World, { at, who }: Of<"leave a place">): Promise<void> {
  if (world.processes.length === 1) await world.startOne();
  await world.database.limit(tenantOf(tenantAt(who)).limitKey, 1);
  for (const process of world.processes) dieWhenSaying(world, process, givingPlace);
  startFlow(world, { at, who, by: "launch" }, null);
  await run(world, { do: "run", at, who, script: [{ do: "effect" }], by: "start" });
}

/** Workers look at what is due just then, and people answer what is due no more. */
async function comeDue(world: World, action: Of<"come due">): Promise<void> {
  const { database, history } = world;
  const stands = await database.standAt(action.which, action.microseconds);
  if (stands === null) return;
  history.losses += 1;
  history.forwardMs += Math.max(0, stands.ms);
  const jumps = history.losses;
  for (const [index, question] of stands.over.entries()) {
    const process = world.processAt(index);
    const sent = {
      answer: "refuse",
      userId: actor.userId,
      editedText: null,
      values: null,
      reason: null,
    } as const;
    const work = world.ask(process, () => answerCall(process.store, question, sent));
    world.background(
      work.then((counts) => {
        // Whoever turns the clock back gives them time again.
        if (counts === true && history.losses === jumps)
          history.broken.push(`${question.id} took an answer when its time was over`);
      }),
    );
  }
  await database.lookForJobs();
  await sweep(database.fresh.store.db);
  await delay(action.ms);
  await stands.goOn();
}

/** Others have long had what a process has when it goes on. */
async function standStill(world: World, { at, ms }: Of<"stand still">): Promise<void> {
  if (world.processes.length === 1) await world.startOne();
  const process = world.processAt(at);
  const { store } = world.database.fresh;
  const { goOn } = process.standStill();
  world.history.losses += 1;
  await delay(ms);
  await endLeases(world, (owner) => owner === process.owner);
  await sweep(store.db);
  await delay(ms);
  goOn();
}

/** The time is over for which these have what they are at. */
export async function endLeases(
  { database }: World,
  isOne: (owner: string | null) => boolean,
): Promise<void> {
  const { pool } = database.fresh.store;
  const { rows } = await pool.query<{ id: string; owner: string | null }>(
    "select id, owner from executions where state = 'running'",
  );
  // One after the other: a statement about many could wait for an engine that waits for it.
  for (const { id, owner } of rows.filter((row) => isOne(row.owner)))
    await pool.query(
      "update executions set lease = now() - interval '1 s' where state = 'running' and id = $1 and owner = $2",
      [id, owner],
    );
}

/** Meanwhile whoever has ended something may go on with it. */
async function clearAway(world: World, { at }: Of<"clear away">): Promise<void> {
  const process = world.processAt(at);
  const { store } = process;
  const work = () => removeExpired({ store, files: world.files, retention }, { gentle: false, waits: false });
  world.background(world.ask(process, work));
}

async function run(world: World, { at, who, script, by }: Of<"run">): Promise<void> {
  const process = world.processAt(at);
  const started: RunStarted = { id: world.name("run"), script, who, told: "unknown" };
  world.history.runs.push(started);
  const execution = { ...startOf(started.id, script), ...tenantAt(who), kind: pipeline };
  start(world, process, started, execution, by);
}

/** Starts something at the top, and notes what whoever asked for it is told. */
function start(
  world: World,
  process: Process,
  started: RunStarted | FlowStarted | PartsRun,
  execution: NewExecution,
  by: "launch" | "start",
): void {
  const work = world.ask(process, async () => {
    if (by === "launch") await process.engine.launch(execution);
    else await process.engine.starting((_, begin) => begin(execution));
    return "accepted" as const;
  });
  world.background(
    work.then((told) => {
      started.told = told;
    }),
  );
}

/** Messages are told apart by their first word. */
const messageOf = (world: World, plan: Plan) => `${world.name("m")} ${plan}`;

/** Notes a message that is sent now. @param work sends it */
function say(
  { ledger }: World,
  conversation: Conversation,
  message: string,
  work: Promise<Said["told"]>,
): Promise<void> {
  const said: Said = { message, sentAt: ledger.tick(), toldAt: 0, told: "unknown" };
  conversation.said.push(said);
  return work.then((told) => {
    said.told = told;
    said.toldAt = ledger.tick();
  });
}

/** Conversations for the team are judged. */
function open(world: World, plan: Plan, actor: Tenant) {
  const message = messageOf(world, plan);
  const isJudged = actor.teamId !== null;
  const agent = isJudged ? world.judged : world.agent;
  const opened = newConversation(randomIds, { agent, actor, message }, "api");
  const conversation: Conversation = {
    ...{ id: opened.turn.subjectId, userId: actor.userId, isJudged, said: [] },
  };
  world.history.conversations.push(conversation);
  return { message, opened, conversation };
}

async function talk(world: World, { at, who, plan }: Of<"talk">): Promise<void> {
  const process = world.processAt(at);
  const { message, opened, conversation } = open(world, plan, tenantAt(who));
  const work = world.ask(process, async () => {
    await process.engine.launch(opened.turn, opened.rows);
    return "accepted" as const;
  });
  world.background(say(world, conversation, message, work));
}

async function flow(world: World, action: Of<"flow">): Promise<void> {
  startFlow(world, action, messageOf(world, action.plan));
}

/** @param message what it says to the agent; null: it only asks people */
function startFlow(
  world: World,
  { at, who, by }: Pick<Of<"flow">, "at" | "who" | "by">,
  message: string | null,
): void {
  const process = world.processAt(at);
  const started: FlowStarted = { id: world.name("flow"), message, who, told: "unknown" };
  world.history.flows.push(started);
  const flow = message === null ? world.flows.asks : world.flows.all;
  const input = writeRunInput(flow, message === null ? {} : { message }, "");
  const execution = { id: started.id, kind: pipeline, subjectId: flow.id, ...tenantAt(who), input };
  start(world, process, started, execution, by);
}

/** The flow whose runs are run again. */
async function parts(world: World, { at, who, fails, by }: Of<"parts">): Promise<void> {
  const id = world.name("parts");
  const version = world.parts.version();
  const started: PartsRun = { id, who, told: "unknown", versions: [version, version], again: null };
  world.history.parts.push(started);
  if (fails !== null) world.ledger.failing.add(`${id} ${fails}`);
  const flow = world.parts.flow();
  const input = writeRunInput(flow, {}, "");
  const execution = { id, kind: pipeline, subjectId: flow.id, ...tenantAt(who), input };
  start(world, world.processAt(at), started, execution, by);
}

async function goOn(world: World, { at, which, crowd, plan }: Of<"continue">): Promise<void> {
  const { conversations } = world.history;
  const conversation = conversations[which % Math.max(1, conversations.length)];
  if (conversation === undefined) return;
  for (let index = 0; index < crowd; index++) {
    const process = world.processAt(at + index);
    const message = messageOf(world, plan);
    const agent = conversation.isJudged ? world.judged : world.agent;
    const continued = { agent, userId: conversation.userId, message };
    const request = { endpoint: "startAgent", caller, key: undefined, inputs: [], content: () => message };
    const work = world.ask(process, async () => {
      const { answer } = await startOnce(process.engine, request, async (tx, start) => {
        const turn = await continueConversation(tx, randomIds, conversation.id, continued);
        if (turn !== null) await start(turn);
        return { answer: turn === null ? "busy" : "accepted", recorded: nothingChanged() };
      });
      return answer === "busy" ? ("busy" as const) : ("accepted" as const);
    });
    world.background(say(world, conversation, message, work));
  }
}

async function repeat(world: World, { at, plan }: Of<"repeat">): Promise<void> {
  const key = world.name("key");
  const ids: string[] = [];
  world.history.repeats.push({ key, ids });
  for (const process of [world.processAt(at), world.processAt(at + 1)]) {
    const { message, opened, conversation } = open(world, plan, actor);
    const request = { endpoint: "startAgent", caller, key, inputs: [], content: () => key };
    const work = world.ask(process, async () => {
      const { answer: id } = await startOnce(process.engine, request, async (tx, start) => {
        await writeConversation(tx, opened.rows);
        await start(opened.turn);
        return { answer: opened.turn.subjectId, recorded: nothingChanged() };
      });
      ids.push(id);
      // The other one's may be the answer to both.
      return id === conversation.id ? ("accepted" as const) : ("busy" as const);
    });
    world.background(say(world, conversation, message, work));
  }
}
