import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentService, freshAgent, startAgentService } from "../../testing/agents.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ environment: { WHEELHOUSE_OPENAI_COMPATIBLE_CONTEXT: "4000" } });
});
afterAll(() => app.stop());
beforeEach(() => app.model.otherwise(() => ({ type: "text", text: "Good." })));

interface Part {
  readonly type: string;
  readonly notice?: string;
  readonly code?: string;
}
interface Status {
  readonly interaction_id: string;
  readonly state: string;
  readonly response?: string;
  readonly error_message?: string;
  readonly messages: readonly { readonly parts: readonly Part[] }[];
}

const tools = toJson(["write_file", "read_file"].map((type) => ({ type })));
const agentWith = (preferences: object = {}) =>
  freshAgent(app.context, { tools, metadata: toJson({ preferences }) });

async function say(gummie_id: string, message: string, interaction_id?: string): Promise<Status> {
  const { body } = await app.start(message, { gummie_id, interaction_id });
  return app.settled(body.interaction_id);
}

const lastCall = () => {
  const call = app.model.calls.at(-1);
  if (call === undefined) throw new Error("the model was not asked");
  return call;
};
const instructions = () => String(lastCall().messages[0]?.content);
const told = () => lastCall().messages.slice(1);
const noticesOf = ({ messages }: Status) =>
  (messages.at(-1)?.parts ?? []).filter(({ type }) => type === "notice");

/** About a thousand tokens, with a name to find it by. */
const longMessage = (name: string) => `${name}: ${"The berth is free until noon. ".repeat(110)}`;

/** A conversation of so many long turns. @returns how its last turn ended */
async function longTalk(agent: string, turns: number): Promise<Status> {
  let last = await say(agent, longMessage("Turn 1"));
  for (let turn = 2; turn <= turns; turn++)
    last = await say(agent, longMessage(`Turn ${turn}`), last.interaction_id);
  return last;
}

/** A server that reads so many characters of messages, whatever it says of itself. */
function readsAtMost(characters: number, message: string): void {
  app.model.otherwise(({ messages }) =>
    JSON.stringify(messages).length > characters
      ? { type: "status", status: 400, message }
      : { type: "text", text: "Good." },
  );
}

/** Each answer of a tool stands right behind the message that asked for it. */
function expectPairs(messages: readonly { role: string; tool_calls?: unknown; tool_call_id?: unknown }[]) {
  let asked: unknown[] = [];
  for (const { role, tool_calls, tool_call_id } of messages) {
    if (role === "tool") expect(asked.shift()).toBe(tool_call_id);
    else {
      expect(asked).toEqual([]);
      asked = Array.isArray(tool_calls) ? tool_calls.map(({ id }: { id: unknown }) => id) : [];
    }
  }
  expect(asked).toEqual([]);
}

describe("a conversation that is longer than the model reads", () => {
  it("goes on with its newest whole turns, and says what was left out, to the model and to the person", async () => {
    const status = await longTalk(await agentWith(), 6);
    expect(status).toMatchObject({ state: "COMPLETED", response: "Good." });
    const roles = told().map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(String(told()[0]?.content)).toMatch(/^Turn 4: /);
    expect(String(told().at(-1)?.content)).toMatch(/^Turn 6: /);
    expect(instructions()).toContain(
      "Left out of what follows, as there is no room for more: the first 3 turns",
    );
    expect(noticesOf(status)).toMatchObject([
      {
        code: "history_cut",
        notice: expect.stringContaining("Left out: the first 3 turns of the conversation."),
      },
    ]);
  });

  it("is said nothing of where it fits", async () => {
    const status = await longTalk(await agentWith(), 2);
    expect(told()).toHaveLength(3);
    expect(instructions()).not.toContain("left out");
    expect(noticesOf(status)).toEqual([]);
  });

  it("keeps the message that is asked now, also where it alone is longer", async () => {
    const agent = await agentWith();
    const { interaction_id } = await say(agent, "First");
    await say(agent, longMessage("Second").repeat(6), interaction_id);
    expect(told().map(({ content }) => String(content).slice(0, 6))).toEqual(["Second"]);
  });

  it("goes on in a turn whose tools said too much, with calls and their results together", async () => {
    const agent = await agentWith();
    const write = (name: string) => {
      return { name: "write_file", args: JSON.stringify({ name, content: longMessage(name) }) };
    };
    const read = { name: "read_file", args: '{"name":"a.md"}' };
    app.model.next({ type: "tools", calls: [write("a.md")] });
    for (let step = 1; step <= 5; step++) app.model.next({ type: "tools", calls: [read] });
    const status = await say(agent, "Read it again and again");
    expect(status).toMatchObject({ state: "COMPLETED", response: "Good." });
    expect(told()[0]).toMatchObject({ role: "user", content: "Read it again and again" });
    expect(told().length).toBeGreaterThan(1);
    expect(told().length).toBeLessThan(13);
    expectPairs(told());
    expect(instructions()).toMatch(/the first \d rounds of this turn's tool calls/);
    expect(noticesOf(status)).toMatchObject([
      { code: "history_cut", notice: expect.stringMatching(/the first \d rounds of this turn's tool calls/) },
    ]);
  });
});

describe("a provider that says that a request is too long", () => {
  const tooLong = "This model's maximum context length is 1000 tokens. However, you requested 3000 tokens.";

  it("is asked again with less of the conversation, which goes on", async () => {
    const agent = await agentWith();
    const { interaction_id } = await longTalk(agent, 3);
    const before = app.model.calls.length;
    readsAtMost(5_000, tooLong);
    const status = await say(agent, "And now?", interaction_id);
    expect(status).toMatchObject({ state: "COMPLETED", response: "Good." });
    expect(app.model.calls.length - before).toBeGreaterThan(1);
    expect(app.model.calls.length - before).toBeLessThanOrEqual(4);
    expect(String(told().at(-1)?.content)).toBe("And now?");
    const keys = app.model.calls.slice(before).map((call) => call.idempotencyKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(noticesOf(status)).toMatchObject([{ code: "history_cut" }]);
    // Recorded: a process that takes the turn over goes on from there.
    const steps = await app.context.store.db
      .selectFrom("steps")
      .innerJoin("executions", "executions.id", "steps.execution_id")
      .select("steps.key")
      .where("subject_id", "=", interaction_id)
      .where("steps.key", "like", "model 1 too long %")
      .execute();
    expect(steps).toHaveLength(keys.length - 1);
  });

  it("is not asked for ever where nothing more can be left out, and the conversation says why it failed", async () => {
    const agent = await agentWith();
    const { interaction_id } = await longTalk(agent, 3);
    const before = app.model.calls.length;
    readsAtMost(10, tooLong);
    const status = await say(agent, "And now?", interaction_id);
    expect(status.state).toBe("FAILED");
    expect(status.error_message).toContain(tooLong);
    expect(status.error_message).toContain("nothing more can be left out");
    expect(app.model.calls.length - before).toBeLessThanOrEqual(7);
    readsAtMost(100_000, tooLong);
    expect((await say(agent, "Better?", interaction_id)).state).toBe("COMPLETED");
  });
});

describe("an answer that the model's limit cut", () => {
  it("says so in its text and in a part of its own, and the model reads its own words alone", async () => {
    const agent = await agentWith();
    app.model.next({ type: "text", text: "Once upon a", reason: "length" });
    const status = await say(agent, "Tell me a story");
    const said = "The answer is cut off here: the model reached its own limit of tokens.";
    expect(status).toMatchObject({ state: "COMPLETED", response: `Once upon a\n\n[${said}]` });
    expect(noticesOf(status)).toMatchObject([{ code: "answer_cut", notice: said }]);
    await say(agent, "Go on", status.interaction_id);
    expect(told()[1]).toMatchObject({ role: "assistant", content: "Once upon a" });
  });

  it("names the agent's max_tokens where that was the limit", async () => {
    app.model.next({ type: "text", text: "Once upon a", reason: "length" });
    const { response } = await say(await agentWith({ max_tokens: 1234 }), "Tell me a story");
    expect(response).toContain("the agent's limit of 1,234 tokens (max_tokens)");
  });

  it.each([
    ["nothing at all", "stop", /empty answer/],
    ["nothing before its limit", "length", /limit of tokens before it said anything/],
  ] as const)("fails with a reason where it is empty: %s", async (_, reason, said) => {
    app.model.next({ type: "text", text: "", reason });
    const status = await say(await agentWith(), "Hello?");
    expect(status).toMatchObject({ state: "FAILED", error_message: expect.stringMatching(said) });
  });

  it("tells the model that its call was cut, so that it writes less at once", async () => {
    app.model.next({
      type: "tools",
      calls: [{ name: "write_file", args: '{"name":"a.md","content":"Onc' }],
      reason: "length",
    });
    await say(await agentWith(), "Write a story");
    expect(told().at(-1)).toMatchObject({ role: "tool", content: expect.stringMatching(/limit of tokens/) });
  });
});

describe("max_tokens of an agent", () => {
  it.each([
    ["is sent with each request", 321, 321],
    ["is left to the model where it is not set", null, null],
  ])("%s", async (_, max_tokens, sent) => {
    await say(await agentWith({ max_tokens }), "Hello");
    expect(lastCall().maxTokens).toBe(sent);
  });

  it("S-330: is sent as what a request leaves of what the model reads, where it is more: the longer that is, the less", async () => {
    const agent = await agentWith({ max_tokens: 100_000 });
    const sentFor = async (message: string) => {
      await say(agent, message);
      return lastCall().maxTokens ?? Number.POSITIVE_INFINITY;
    };
    const short = await sentFor("Hello");
    expect(short).toBeLessThan(4_000);
    expect(await sentFor(longMessage("Long"))).toBeLessThan(short - 700);
  });

  it.each([0, 1.5, "many"])("is refused where it is %j", async (max_tokens) => {
    const change = { metadata: { preferences: { max_tokens } } };
    const path = `/agents/${await agentWith()}`;
    const { status, body } = await app.call("kim", "PATCH", path, change, { "x-auth-key": "user_kim" });
    expect([status, body.error.param]).toEqual([400, "metadata.preferences.max_tokens"]);
  });
});
