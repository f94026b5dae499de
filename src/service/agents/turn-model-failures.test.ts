import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { until } from "../../testing/until.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ concurrency: 1 });
});
afterAll(() => app.stop());

async function say(message: string, body: Readonly<Record<string, unknown>> = {}) {
  const started = await app.start(message, body);
  expect(started.status).toBe(202);
  return app.settled(started.body.interaction_id);
}

const offline = (message: string) => say(message, { gummie_id: "agent_offline" });

describe("a model that fails (S-19)", () => {
  it("is asked again after the wait that it asked for, and the answer counts once", async () => {
    app.model.next({ type: "status", status: 429, retryAfter: "1" }, { type: "text", text: "Now." });
    const before = app.model.calls.length;
    const status = await say("Patience");
    expect(status).toMatchObject({ state: "COMPLETED", response: "Now." });
    const [first, second] = app.model.calls.slice(before);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000);
    expect(first?.idempotencyKey).toBe(second?.idempotencyKey);
    expect(first?.idempotencyKey).toMatch(/^turn_\w+:model-1$/);
  });

  it.each([
    ["500", { type: "status", status: 500 }, "local answered 500"],
    ["an answer that is cut", { type: "cut", text: "Good mor", reset: false }, "cut short"],
    ["a torn connection", { type: "cut", text: "Good mor", reset: true }, "local"],
    ["no JSON", { type: "garbage" }, "cut short or could not be read"],
  ] as const)("ends FAILED after a bounded number of calls: %s", async (_, answer, said) => {
    const before = app.model.calls.length;
    app.model.next(answer, answer, answer);
    const status = await say("Try");
    expect(app.model.calls.length - before).toBe(3);
    expect(status.state).toBe("FAILED");
    expect(status.error_message).toContain(said);
    expect(status.error_message).toMatch(
      /^The model local\/fake gave no answer\. .+ It was tried 3 times\.$/,
    );
  });

  it("is not asked again where it refuses, and its words never hold a key (S-50)", async () => {
    const before = app.model.calls.length;
    app.model.next({ type: "status", status: 401, message: "Bad key sk-canary-of-the-model-server" });
    const status = await say("Try");
    expect(app.model.calls.length - before).toBe(1);
    expect(status.error_message).toContain("the key that the operator set is not accepted");
    expect(JSON.stringify(status)).not.toContain("sk-canary");
  });

  it("S-384: asks for more tools at once than are called: it fails, says so, and shows none of them", async () => {
    const before = app.model.calls.length;
    const calls = Array.from({ length: 10_000 }, () => ({ name: "read_file", args: "{}" }));
    app.model.next({ type: "tools", calls });
    const { state, error_message, messages } = await say("Try");
    expect([state, error_message]).toEqual([
      "FAILED",
      "The model local/fake gave no answer. The model asked for more than 100 tools at once.",
    ]);
    expect(messages).toHaveLength(2);
    expect(JSON.stringify(messages)).not.toContain("read_file");
    expect(app.model.calls.length - before).toBe(1);
  });

  it("leaves the only worker free while it waits", async () => {
    app.model.next({ type: "status", status: 503 }, { type: "status", status: 429, retryAfter: "1" });
    const before = app.model.calls.length;
    const slow = await app.start("Slow");
    await until("the refusal that it waits after", () => app.model.calls.length >= before + 2);
    const quick = await offline("Anything");
    expect(quick.state).toBe("COMPLETED");
    expect((await app.settled(slow.body.interaction_id)).state).toBe("COMPLETED");
  });

  it("says which model is not connected", async () => {
    await app.context.store.db
      .updateTable("agents")
      .set({ model_name: "openai/gpt-5.1" })
      .where("id", "=", "agent_kim")
      .execute();
    const status = await say("Hello");
    await app.context.store.db
      .updateTable("agents")
      .set({ model_name: "local/fake" })
      .where("id", "=", "agent_kim")
      .execute();
    expect(status.error_message).toContain("The model openai/gpt-5.1 is not available");
  });
});
