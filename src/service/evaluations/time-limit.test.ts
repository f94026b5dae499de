import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { evaluating, verdict } from "../../testing/evaluating.ts";
import { until } from "../../testing/until.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ evaluationLimitMs: 300 });
});
afterAll(() => app.stop());

const { configure, talk, results, evaluated } = evaluating(() => app);

it("S-19: an evaluation whose model says for ever that it is at work ends, and says why", async () => {
  await configure({ criteria: [], sentiment: { enabled: true }, frequency: "manual" });
  const session = await talk("Yes.");
  app.model.otherwise(() => ({ type: "alive" }));
  const { status } = await app.call("kim", "POST", "/agents/agent_kim/evaluations/run", {
    session_ids: [session],
  });
  expect(status).toBeLessThan(300);
  const ended = async () =>
    (await results(session)).some((one: { status: string }) => one.status === "failed");
  await until("the end of the evaluation", ended, 5_000);
  expect(await results(session)).toMatchObject([
    { status: "failed", error: "The model local/fake took longer than the limit of 0.3 seconds." },
  ]);
});

it("one whose model answers in time ends as ever", async () => {
  await configure({ criteria: [], sentiment: null, include_auto_tags: true });
  const session = await talk("Yes.", { judge: [verdict({ own_tags: [] })] });
  expect(await evaluated(session)).toMatchObject([{ status: "completed" }]);
});
