import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../../testing/agents.ts";
import { answer, askingAgent } from "../../../testing/approvals.ts";
import { type Death, live, newTurn } from "../../../testing/dying-turn.ts";
import type { Execution, Step } from "../../engine/kind.ts";

let app: AgentService;
let agent: string;
beforeAll(async () => {
  app = await startAgentService({ work: false });
  agent = await askingAgent(app);
});
afterAll(() => app.stop());

const questionsOf = ({ subjectId }: Execution) =>
  app.context.store.db
    .selectFrom("approvals")
    .select(["id", "step_key", "state", "lapses_at"])
    .where("interaction_id", "=", subjectId)
    .orderBy("asked_at")
    .execute();

/** A person answers each question once, through the interface: what it ends is a step in the database. */
function answering(execution: Execution, body: Readonly<Record<string, unknown>>) {
  const { db } = app.context.store;
  return async (steps: Map<string, Step>) => {
    for (const { id, step_key, state, lapses_at } of await questionsOf(execution)) {
      const step = steps.get(step_key);
      if (step?.state !== "waiting") continue;
      const row = { execution_id: execution.id, key: step_key, state: "waiting" as const };
      await db
        .insertInto("steps")
        .values({ ...row, output: null, error: null, wake_at: lapses_at, child_id: null, finished_at: null })
        .onConflict((there) => there.doNothing())
        .execute();
      if (state === "waiting") expect((await answer(app, { id }, body)).status).toBe(200);
      const ended = await db
        .selectFrom("steps")
        .select(["state", "output"])
        .where("execution_id", "=", execution.id)
        .where("key", "=", step_key)
        .executeTakeFirstOrThrow();
      steps.set(step_key, { ...step, ...ended });
    }
  };
}

const text = '{"name":"b.txt","content":"By a person."}';

async function lived(death: Death | null, body: Readonly<Record<string, unknown>>) {
  const message = '/write_file {"name":"a.txt","content":"By a model."}';
  const execution = await newTurn(app, [message], agent);
  const { outcome, writes } = await live(app, execution, { death, wake: answering(execution, body) });
  const { body: artifacts } = await app.call("kim", "GET", `/artifacts?session_id=${execution.subjectId}`);
  const { body: read } = await app.call("kim", "GET", `/sessions/${execution.subjectId}`);
  const files = artifacts.artifacts.map((one: { filename: string; major_version: number }) => [
    one.filename,
    one.major_version,
  ]);
  const parts = read.session.messages[1].parts.map(
    (part: { type: string; toolCallState?: string; approval?: { state: string } }) =>
      [part.type, part.toolCallState, part.approval?.state].filter(Boolean).join(" "),
  );
  const asked = (await questionsOf(execution)).map(({ state }) => state);
  return { writes, there: { outcome: outcome.type, files, parts, asked } };
}

describe("S-69: a turn that is cut off at any of its writes around a question", () => {
  it.each([
    ["approved", { answer: "approve" }, [["a.txt", 1]], "completed"],
    ["approved", { answer: "approve_edited", arguments_text: text }, [["b.txt", 1]], "completed"],
    ["refused", { answer: "refuse" }, [], "failed"],
  ])("that was %s by %o asks once, and makes the call once", async (state, body, files, call) => {
    const undisturbed = await lived(null, body);
    expect(undisturbed.there).toEqual({
      outcome: "done",
      files,
      parts: [`tool_invocation ${call} ${state}`, ...(files.length > 0 ? ["file"] : []), "text"],
      asked: [state],
    });
    expect(undisturbed.writes).toBeGreaterThanOrEqual(3);
    for (let at = 1; at <= undisturbed.writes; at++) {
      for (const when of ["before", "after"] as const) {
        const { there } = await lived({ at, when }, body);
        expect([at, when, there]).toEqual([at, when, undisturbed.there]);
      }
    }
  });
});
