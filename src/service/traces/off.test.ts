import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { openTraces } from "./open-traces.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

it("nothing is written, sent along or looked for where no variable names a collector", async () => {
  app.model.next({ type: "text", text: "Done." });
  const { body } = await app.call(
    ...(["kim", "POST", "/start_agent"] as const),
    { gummie_id: "agent_kim", message: "Do", user_id: "user_kim" },
    { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" },
  );
  await app.settled(body.interaction_id);
  const { store, config, log } = app.context;
  expect(await store.db.selectFrom("traces").select("root_id").execute()).toEqual([]);
  expect(app.model.calls.at(-1)?.traceparent).toBeNull();
  // The engine is told of nobody who traces, so it asks nobody; and the log is the one that was given.
  expect(await openTraces({ config, store, log })).toMatchObject({ tracing: undefined, exporter: null, log });
});
