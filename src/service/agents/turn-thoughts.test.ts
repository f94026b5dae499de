import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import {
  type FakeModelServer,
  type ModelCallSeen,
  startFakeModelServer,
} from "../../testing/fake-model-server.ts";
import {
  chatStream,
  claudeCall,
  claudeToldBack,
  deepseekCall,
  geminiCalls,
} from "../../testing/model-streams.ts";

let app: AgentService;
let claude: FakeModelServer;
beforeAll(async () => {
  claude = await startFakeModelServer();
  app = await startAgentService({
    environment: {
      ...{ ANTHROPIC_API_KEY: "key-of-claude", ANTHROPIC_BASE_URL: claude.url },
      ...{ WHEELHOUSE_ANTHROPIC_MODELS: "claude", WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "fake,groq,deepseek" },
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

describe("a model whose server refuses answers without what was thought before them", () => {
  const missing = "The `reasoning_content` in the thinking mode must be passed back to the API.";
  /** As DeepSeek, Kimi and others do it: of every answer, and in later turns as well. */
  const lacks = (messages: ModelCallSeen["messages"]) =>
    messages.some((one) => one.role === "assistant" && !("reasoning_content" in one));
  const strict = ({ messages }: ModelCallSeen) => {
    if (lacks(messages)) return { type: "status", status: 400, message: missing } as const;
    const isAsked = messages.at(-1)?.role === "user";
    const thought = `Thought of ${messages.length}.`;
    if (isAsked) return { type: "raw", body: deepseekCall(thought, "write_file", file) } as const;
    return { type: "text", text: "Done." } as const;
  };

  it("is told it with each answer, in the same turn and in the next, also of an answer without any", async () => {
    await use("local/deepseek");
    app.model.otherwise(strict);
    const before = app.model.calls.length;
    const first = await say("Write");
    expect(first).toMatchObject({ state: "COMPLETED", response: "Done." });
    const second = await say("Again", { interaction_id: first.id });
    expect(second).toMatchObject({ state: "COMPLETED", response: "Done." });
    expect(answersOf(app.model.calls.at(-1))).toMatchObject([
      { reasoning_content: "Thought of 2. " },
      { reasoning_content: "" },
      { reasoning_content: expect.stringMatching(/^Thought of \d\. $/) },
    ]);
    // Once refused, it is asked again at once, under a key of its own, and never in vain again.
    const calls = app.model.calls.slice(before);
    const refused = calls.filter(({ messages }) => lacks(messages));
    expect(refused).toHaveLength(1);
    expect(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(calls.length);
  });

  it("other models are not told it, which some refuse", async () => {
    await use("local/groq");
    app.model.otherwise(({ messages }) => {
      const unsupported = "'messages.2' : property 'reasoning_content' is unsupported";
      if (messages.some((one) => "reasoning_content" in one || "reasoning" in one))
        return { type: "status", status: 400, message: unsupported };
      if (messages.at(-1)?.role === "tool") return { type: "text", text: "Done." };
      const call = { index: 0, id: "call_a", function: { name: "write_file", arguments: file } };
      return { type: "raw", body: chatStream([{ reasoning: "Hm." }, { tool_calls: [call] }]) };
    });
    const first = await say("Write");
    expect(first).toMatchObject({ state: "COMPLETED", response: "Done." });
    expect(await say("Again", { interaction_id: first.id })).toMatchObject({ state: "COMPLETED" });
  });
});

describe("a model whose server leaves in its answers what it thinks", () => {
  const thoughts = "<think>\nThe tide is out.\n</think>\n\n";
  const partsOf = ({ messages }: Awaited<ReturnType<typeof say>>) => messages.at(-1).parts;

  it("is not told it again, and people see it as its thoughts", async () => {
    await use("local/fake");
    app.model.next(
      { type: "tools", text: thoughts, calls: [{ name: "write_file", args: file }] },
      { type: "text", text: `${thoughts}It is written.` },
      { type: "text", text: "Done." },
    );
    const said = await say("Write");
    expect(said).toMatchObject({ state: "COMPLETED", response: "It is written." });
    const thought = { type: "reasoning", reasoning: "The tide is out." };
    expect(partsOf(said)).toMatchObject([
      ...[thought, { type: "tool_invocation" }, { type: "file" }],
      ...[thought, { type: "text", text: "It is written." }],
    ]);
    await say("Again", { interaction_id: said.id });
    expect(JSON.stringify(app.model.calls.at(-1)?.messages)).not.toContain("tide");
  });

  it.each([
    ["whose template begins the thought in its place", "The tide is out.\n</think>\n\nGood.", "Good."],
    ["that writes of such marks", "Write `<think>` before and `</think>` behind.", null],
    ["that shows them", "So:\n```\n<think>\nHm.\n</think>\n```", null],
    ["that does not end its thought", "<think>\nThe tide is out.", null],
  ])("%s is understood", async (_, text, response) => {
    await use("local/fake");
    app.model.next({ type: "text", text });
    expect(await say("Hello")).toMatchObject({ state: "COMPLETED", response: response ?? text });
  });

  it("has said nothing where the limit of tokens cut its thought", async () => {
    await use("local/fake");
    app.model.next({ type: "text", text: "<think>\nThe tide is", reason: "length" });
    const said = await say("Hello");
    expect(said).toMatchObject({ state: "FAILED" });
    expect(partsOf(said)).toMatchObject([{ type: "reasoning", reasoning: "The tide is" }, { type: "error" }]);
  });
});
