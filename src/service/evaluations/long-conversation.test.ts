import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

const isJudge = (told: string) => told.includes("You evaluate a conversation");

describe("an evaluation of a long conversation", () => {
  it("judges what its model has room for, the newest part", async () => {
    const criterion = { id: "kind", name: "Kind", prompt: "The tone is kind.", type: "voice_tone" };
    await app.call("kim", "PATCH", "/agents/agent_kim/evaluation-config", {
      ...{ enabled: true, frequency: "per_turn" },
      criteria: [{ ...criterion, priority: "needs_attention" }],
    });
    const criteria = [{ id: "kind", result: "success", rationale: "" }];
    const verdict = JSON.stringify({ summary: "Fine.", call_successful: "success", criteria });
    const message =
      "This model's maximum context length is 4096 tokens. However, you requested 30000 tokens.";
    app.model.otherwise(({ messages }) => {
      const told = JSON.stringify(messages);
      if (!isJudge(told)) return { type: "text", text: "Last words." };
      if (told.length > 30_000) return { type: "status", status: 400, message };
      return { type: "text", text: verdict };
    });
    const { body } = await app.start(`First words. ${"And so on. ".repeat(9_000)}`);
    const path = `/agents/agent_kim/evaluations?session_id=${body.interaction_id}`;
    const result = async () => (await app.call("kim", "GET", path)).body.evaluations.at(0);
    await expect.poll(async () => (await result())?.grade, { timeout: 60_000 }).toBe("pass");
    const judged = app.model.calls.filter(({ messages }) => isJudge(JSON.stringify(messages))).at(-1);
    const told = JSON.stringify(judged?.messages);
    expect(told).toContain("Last words.");
    expect(told).toContain("earlier messages are left out");
    expect(judged?.schema).not.toBeNull();
  });
});
