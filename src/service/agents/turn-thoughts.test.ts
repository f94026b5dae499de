import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import {
  type FakeModelServer,
  type ModelCallSeen,
  startFakeModelServer,
} from "../../testing/fake-model-server.ts";
import { claudeCall, claudeToldBack, geminiCalls } from "../../testing/model-streams.ts";

let app: AgentService;
let claude: FakeModelServer;
beforeAll(async () => {
  claude = await startFakeModelServer();
  app = await startAgentService({
    environment: {
      ...{ ANTHROPIC_API_KEY: "key-of-claude", ANTHROPIC_BASE_URL: claude.url },
      WHEELHOUSE_ANTHROPIC_MODELS: "claude",
    },
  });
});
afterAll(async () => {
  await app.stop();
  await claude.close();
});

const use = (model_name: string) =>
  app.context.store.db.updateTable("agents").set({ model_name }).where("id", "=", "agent_kim").execute();

async function say(message: string, body: Readonly<Record<string, unknown>> = {}) {
  const started = await app.start(message, body);
  expect(started.status).toBe(202);
  return { id: started.body.interaction_id, ...(await app.settled(started.body.interaction_id)) };
}

const file = JSON.stringify({ name: "a.txt", content: "a" });
const answersOf = (call: ModelCallSeen | undefined) =>
  call?.messages.filter(({ role }) => role === "assistant") ?? [];

describe("what a provider wants back with the calls of a turn", () => {
  it("Gemini is given the signature of its calls, with the call that had it", async () => {
    await use("local/fake");
    app.model.next({ type: "raw", body: geminiCalls("write_file", file) });
    expect(await say("Write")).toMatchObject({ state: "COMPLETED" });
    const signed = { google: { thought_signature: "sig-gemini+/=" } };
    const [asked] = answersOf(app.model.calls.at(-1));
    expect(asked?.tool_calls).toMatchObject([{ id: "call_a", extra_content: signed }, { id: "call_b" }]);
    expect(JSON.stringify(asked).match(/thought_signature/g)).toHaveLength(1);
  });

  it("a signature is nothing that the conversation shows", async () => {
    await use("local/fake");
    app.model.next({ type: "raw", body: geminiCalls("write_file", file) });
    expect(JSON.stringify(await say("Write"))).not.toContain("sig-gemini");
  });

  it("Claude is given its thoughts as they were, those too that are kept from us, and each in its place", async () => {
    await use("anthropic/claude");
    claude.next({ type: "raw", body: claudeCall("write_file", file) }, { type: "status", status: 400 });
    const { messages } = await say("Write");
    const [asked] = answersOf(claude.calls.at(-1));
    expect(asked?.content).toMatchObject(claudeToldBack);
    const [thought] = messages.at(-1).parts;
    expect(thought).toMatchObject({ type: "reasoning", reasoning: "The tide is out." });
  });
});
