import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
});
afterAll(() => app.stop());

it("a turn that was stopped is evaluated by nobody", async () => {
  const words = { name: "Words", prompt: "guarantee", type: "prohibited_words" };
  const change = { enabled: true, frequency: "per_turn", criteria: [words] };
  expect((await app.call("kim", "PATCH", "/agents/agent_kim/evaluation-config", change)).status).toBe(200);
  const { body } = await app.start("Hello");
  const { db } = app.context.store;
  const { id } = await db
    .selectFrom("executions")
    .select("id")
    .where("subject_id", "=", body.interaction_id)
    .executeTakeFirstOrThrow();
  await app.context.engine.kill(id);
  expect((await app.settled(body.interaction_id)).state).toBe("FAILED");
  const path = `/agents/agent_kim/evaluations?session_id=${body.interaction_id}`;
  expect((await app.call("kim", "GET", path)).body.evaluations).toEqual([]);
});
