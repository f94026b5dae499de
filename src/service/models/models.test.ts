import { describe, expect, it, vi } from "vitest";
import { startFakeModelServer } from "../../testing/fake-model-server.ts";
import { failureOf, modelRequest, modelSettings, modelTests } from "../../testing/model-tests.ts";
import { createModels, type ModelOptions } from "./models.ts";
import { readModelSettings } from "./settings.ts";
import type { ModelRequest } from "./types.ts";

const secret = "sk-canary-0123456789abcdef";
const writeFile = {
  name: "write_file",
  description: "Writes a file",
  parameters: { type: "object", properties: { name: { type: "string" } } },
};

const { server, ask } = modelTests({ local: "fake, meta/llama", key: secret });
const request = (more: Partial<ModelRequest> = {}) =>
  modelRequest({ system: "Be brief.", tools: [writeFile], ...more });

/** The same server by another fetch, with less patience or at another address. */
const local = (options: Partial<ModelOptions>, url = server.url) =>
  createModels(modelSettings(url, { local: "fake" }), { fetch: globalThis.fetch, ...options });

describe("what providers take", () => {
  /** Ids of calls as Kimi and vLLM make them: Anthropic refuses the one, OpenAI the other. */
  const [odd, long] = ["functions.read_file:0", `chatcmpl-tool-${"0".repeat(32)}`];
  const all = modelTests({ openai: "o", anthropic: "a", local: "fake" });

  it.each([
    ["anthropic/a", ["call", "call_1", long]],
    ["openai/o", [odd, "call_1", "call"]],
    ["local/fake", [odd, "call_1", long]],
  ])("a conversation that began with another provider's model goes on with %s", async (model, told) => {
    const ids = [odd, "call_1", long];
    const toolCalls = ids.map((id) => ({ id, name: "write_file", args: {} }));
    const answers = ids.map((id) => ({ id, name: "write_file", failed: false, result: "Done" }));
    const messages: ModelRequest["messages"] = [
      { role: "user", text: "Hello" },
      { role: "assistant", text: "", toolCalls },
      { role: "tool", answers },
      { role: "user", text: "And now?" },
    ];
    // The test's server does not speak Anthropic's protocol, but hears what it is asked.
    await all.ask(request({ model, messages, tools: [] })).catch(() => null);
    const said = JSON.stringify(all.server.calls.at(-1)?.messages);
    const asked = [...said.matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id);
    const answered = [...said.matchAll(/"(?:tool_use_id|tool_call_id)":"([^"]*)"/g)].map(([, id]) => id);
    expect([asked, answered]).toEqual([told, told]);
  });

  it("an answer of white space, alone or before a call, is not told back, as Anthropic refuses it", async () => {
    const messages: ModelRequest["messages"] = [
      { role: "user", text: "Hello" },
      { role: "assistant", text: " \n", toolCalls: [] },
      { role: "user", text: "Write" },
      { role: "assistant", text: "\n\n", toolCalls: [{ id: "c", name: "write_file", args: {} }] },
      { role: "tool", answers: [{ id: "c", name: "write_file", failed: false, result: "Done" }] },
    ];
    const asked = all.ask(request({ model: "anthropic/a", messages, tools: [] }));
    await asked.catch(() => null);
    const told = all.server.calls.at(-1)?.messages.flatMap(({ content }) => content);
    const calls = [{ type: "tool_use" }, { type: "tool_result" }];
    expect(told).toMatchObject([{ text: "Hello" }, { text: "Write" }, ...calls]);
  });

  it("S-331: half of an emoji, where a long result or a description was cut, is sent as a sign of its own", async () => {
    const half = "🚢".slice(0, 1);
    const messages: ModelRequest["messages"] = [
      { role: "user", text: `Hello ${half} 🚢` },
      { role: "assistant", text: half, toolCalls: [{ id: "c", name: "write_file", args: { name: half } }] },
      { role: "tool", answers: [{ id: "c", name: "write_file", failed: false, result: { cut: half } }] },
    ];
    const tools = [{ ...writeFile, description: `Writes ${half}` }];
    await all.ask(request({ model: "openai/o", messages, tools }));
    const call = all.server.calls.at(-1);
    expect(JSON.stringify(call)).not.toMatch(/\\ud[89a-f]/i);
    expect(call?.messages.slice(1)).toMatchObject([
      { content: "Hello \uFFFD 🚢" },
      { content: "\uFFFD", tool_calls: [{ function: { arguments: '{"name":"\uFFFD"}' } }] },
      { content: '{"cut":"\uFFFD"}' },
    ]);
    expect(call?.described).toEqual({ write_file: "Writes \uFFFD" });
  });

  it("a tool whose server names no parameters is told with none, as OpenAI wants it said", async () => {
    const parameters = { type: "object" };
    await all.ask(request({ model: "openai/o", tools: [{ ...writeFile, parameters }] }));
    expect(all.server.calls.at(-1)?.parameters).toEqual([{ type: "object", properties: {} }]);
  });
});

describe("a model behind the OpenAI protocol", () => {
  it("answers with its streamed text, its usage and the reason why it ended", async () => {
    server.next({ type: "text", text: "Good morning, Ada." });
    const answer = await ask(request());
    expect(answer).toEqual({
      text: "Good morning, Ada.",
      reasoning: null,
      toolCalls: [],
      finish: "stop",
      usage: { input_tokens: 7, output_tokens: 3 },
    });
    const call = server.calls.at(-1);
    expect(call).toMatchObject({
      model: "fake",
      idempotencyKey: "exe_1:model_1",
      authorization: `Bearer ${secret}`,
      tools: ["write_file"],
    });
    expect(call?.messages[0]).toMatchObject({ role: "system", content: "Be brief." });
  });

  it("keeps every slash after the first in the model's own name", async () => {
    await ask(request({ model: "local/meta/llama" }));
    expect(server.calls.at(-1)?.model).toBe("meta/llama");
  });

  it("asks for tools, and is shown what they answered", async () => {
    server.next({
      type: "tools",
      text: "One moment.",
      calls: [{ name: "write_file", args: '{"name":"a.txt"}' }],
    });
    const first = await ask(request());
    expect(first).toMatchObject({ text: "One moment.", finish: "tools" });
    expect(first.toolCalls).toEqual([
      { id: "call_0_write_file", name: "write_file", args: { name: "a.txt" } },
    ]);
    await ask(
      request({
        messages: [
          { role: "user", text: "Hello" },
          { role: "assistant", text: first.text, toolCalls: first.toolCalls },
          {
            role: "tool",
            answers: [{ id: "call_0_write_file", name: "write_file", failed: false, result: { ok: true } }],
          },
        ],
      }),
    );
    expect(server.calls.at(-1)?.messages.slice(1)).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ id: "call_0_write_file" }] },
      { role: "tool", content: '{"ok":true}' },
    ]);
  });

  it("marks a call of an unknown tool and arguments that are no object, instead of failing", async () => {
    server.next({
      type: "tools",
      calls: [
        { name: "rm_rf", args: "{}" },
        { name: "write_file", args: '{"name":' },
      ],
    });
    const { toolCalls } = await ask(request());
    expect(toolCalls).toHaveLength(2);
    expect(toolCalls[0]?.invalid).toBe("There is no tool rm_rf.");
    expect(toolCalls[1]?.invalid).toBe("The arguments are no JSON object.");
  });

  it("S-19: says 429 in words, with the wait that the provider asked for", async () => {
    server.next({ type: "status", status: 429, retryAfter: "7", message: `Slow down, ${secret}` });
    const error = await failureOf(ask(request()));
    expect(error).toMatchObject({ failure: "busy", retryAfterMs: 7000, retryable: true });
    expect(error.message).toBe("local answered 429 (too many requests): Slow down, [key]");
  });

  it("S-09: counts a date to come back at by the clock of the provider, whatever ours says", async () => {
    const date = "Thu, 19 Nov 2026 08:00:00 GMT";
    server.next({ type: "status", status: 429, date, retryAfter: "Thu, 19 Nov 2026 08:00:30 GMT" });
    expect(await failureOf(ask(request()))).toMatchObject({ retryAfterMs: 30_000 });
  });

  it.each([500, 502, 503])("S-19: calls %i a failure that is worth another try", async (status) => {
    server.next({ type: "status", status });
    expect(await failureOf(ask(request()))).toMatchObject({ failure: "unavailable", retryable: true });
  });

  it.each([400, 401, 404])("calls %i a refusal that no other try will change", async (status) => {
    server.next({ type: "status", status });
    expect(await failureOf(ask(request()))).toMatchObject({ failure: "refused", retryable: false });
  });

  it.each([
    ["ends without its last part", { type: "cut", text: "Good mor", reset: false }],
    ["is torn off", { type: "cut", text: "Good mor", reset: true }],
    ["is no JSON", { type: "garbage" }],
  ] as const)("S-19: does not take an answer that %s for a whole one", async (_, answer) => {
    server.next(answer);
    const error = await failureOf(ask(request()));
    expect(error.retryable).toBe(true);
    expect(["broken", "unavailable"]).toContain(error.failure);
  });

  it("says why a server breaks off an answer that has begun, and not that it cannot be reached", async () => {
    const begun = { id: "1", choices: [{ index: 0, delta: { content: "Good" }, finish_reason: null }] };
    const error = { message: "Insufficient credits", code: 402 };
    const body = `data: ${JSON.stringify(begun)}\n\ndata: ${JSON.stringify({ error })}\n\n`;
    const headers = { "content-type": "text/event-stream" };
    const breaking = local({ fetch: async () => new Response(body, { headers }) });
    expect(await failureOf(breaking.ask(request()))).toMatchObject({
      ...{ failure: "broken", retryable: true },
      message: "local broke off its answer: Insufficient credits",
    });
  });

  it("S-19: gives up on silence", async () => {
    server.next({ type: "silence" });
    const hasty = local({ silenceLimits: { beforeMs: 150, withinMs: 150 } });
    expect(await failureOf(hasty.ask(request()))).toMatchObject({ failure: "silent", retryable: true });
  });

  it("S-313: does not take a model for silent whose server says again and again that it is at work", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const write = (text: string) => writer.write(new TextEncoder().encode(text));
    const headers = { "content-type": "text/event-stream" };
    const waiting = local({ fetch: async () => new Response(readable, { headers }) });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const answer = waiting.ask(request());
      for (let minute = 0; minute < 5; minute++) {
        // As OpenRouter and DeepSeek do it.
        await write(": keep-alive\n\n");
        vi.advanceTimersByTime(60_000);
      }
      const choices = [{ index: 0, delta: { content: "Good." }, finish_reason: "stop" }];
      await write(`data: ${JSON.stringify({ id: "1", choices })}\n\ndata: [DONE]\n\n`);
      await writer.close();
      expect(await answer).toMatchObject({ text: "Good.", finish: "stop" });
    } finally {
      vi.useRealTimers();
    }
  });

  it("ends at once when the turn is killed", async () => {
    server.next({ type: "silence" });
    const controller = new AbortController();
    const call = failureOf(ask(request({ signal: controller.signal })));
    controller.abort(new Error("killed"));
    expect((await call).message).toBe("killed");
  });

  it("says which host cannot be reached", async () => {
    const gone = await startFakeModelServer();
    await gone.close();
    const error = await failureOf(local({}, gone.url).ask(request()));
    expect(error.failure).toBe("unavailable");
    expect(error.message).toMatch(/^local cannot be reached at 127\.0\.0\.1:\d+\.$/);
  });

  it("names a model that is not connected", async () => {
    expect(await failureOf(ask(request({ model: "openai/gpt-5.1" })))).toMatchObject({
      failure: "unknown",
    });
  });
});

describe("the settings", () => {
  it("list what the environment connects, the built-in model last", () => {
    const settings = readModelSettings({
      OPENAI_API_KEY: "k1",
      ANTHROPIC_API_KEY: "k2",
      WHEELHOUSE_ANTHROPIC_MODELS: "a, b ,a",
    });
    const made = createModels(settings, { fetch: globalThis.fetch });
    expect(made.groups().map((group) => group.label)).toEqual(["OpenAI", "Anthropic", "Built in"]);
    expect(made.has("anthropic/b")).toBe(true);
    expect(made.has("builtin/offline")).toBe(true);
    expect(made.preferred).toMatch(/^openai\//);
  });

  it("connect nothing in an empty environment", () => {
    const made = createModels(readModelSettings({}), { fetch: globalThis.fetch });
    expect(made.groups()).toHaveLength(1);
    expect(made.preferred).toBe("builtin/offline");
  });

  it.each([
    ["WHEELHOUSE_OPENAI_COMPATIBLE_URL", { WHEELHOUSE_OPENAI_COMPATIBLE_URL: "ftp://x" }],
    ["WHEELHOUSE_OPENAI_COMPATIBLE_MODELS", { WHEELHOUSE_OPENAI_COMPATIBLE_URL: "http://localhost:1/v1" }],
    [
      "WHEELHOUSE_OPENAI_COMPATIBLE_NAME",
      {
        WHEELHOUSE_OPENAI_COMPATIBLE_URL: "http://localhost:1/v1",
        WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "m",
        WHEELHOUSE_OPENAI_COMPATIBLE_NAME: "openai",
      },
    ],
  ])("are refused by the name of %s", (name, environment) => {
    expect(() => readModelSettings(environment)).toThrow(name);
  });
});

describe("the built-in offline model", () => {
  const offline = (text: string, answers: ModelRequest["messages"] = []) =>
    ask(request({ model: "builtin/offline", messages: [{ role: "user", text }, ...answers] }));

  it("says plainly what it is and how to connect a real one", async () => {
    const { text } = await offline("Please write me a poem");
    expect(text).toContain("I am builtin/offline");
    expect(text).toContain("OPENAI_API_KEY");
    expect(text).toContain("Tools of this agent: write_file.");
    expect(text).toContain("choose one of the prompts beside the message");
  });

  it("S-399: obeys a command with line separators in its JSON, and blanks before one hold nobody up", async () => {
    const { toolCalls } = await offline('/write_file {"name":"one\u2028two"}');
    expect(toolCalls.map(({ args }) => args)).toEqual([{ name: "one\u2028two" }]);
    expect((await offline(`/write_file${" ".repeat(100_000)}x\u2028y`)).text).toContain("no JSON object");
  }, 5_000);

  it("says what a call gave without braces, field by field", async () => {
    const message = '/write_file {"name":"a"}';
    const { toolCalls } = await offline(message);
    const result = { name: "a.md", size: 5, outputs: { a: 1 } };
    const { text } = await offline(message, [
      { role: "assistant", text: "", toolCalls },
      { role: "tool", answers: [{ id: "call_1", name: "write_file", failed: false, result }] },
    ]);
    expect(text).toBe('Write a file: done. name: a.md, size: 5, outputs: {"a":1}');
  });

  it("obeys every line of the form /tool_name {json}, in order, and reports each", async () => {
    const message = 'Hi\n/write_file {"name":"a"}\nthen\n/write_file {"name":"b"}';
    const { toolCalls } = await offline(message);
    expect(toolCalls.map((call) => call.args)).toEqual([{ name: "a" }, { name: "b" }]);
    const { text, toolCalls: more } = await offline(message, [
      { role: "assistant", text: "", toolCalls },
      { role: "tool", answers: [{ id: "call_1", name: "write_file", failed: false, result: "wrote a" }] },
      { role: "tool", answers: [{ id: "call_2", name: "write_file", failed: true, result: "no room" }] },
    ]);
    expect(more).toEqual([]);
    expect(text).toBe("Write a file: done. wrote a\nWrite a file: failed. no room");
  });

  it("names a tool that the agent has not, and a line that is no JSON object, and still does the rest", async () => {
    const message = '/fly {}\n/write_file [1]\n/write_file {"name":"b"}';
    const { toolCalls } = await offline(message);
    expect(toolCalls.map((call) => call.args)).toEqual([{ name: "b" }]);
    const { text } = await offline("/fly {}");
    expect(text).toBe("/fly: this agent has no such tool. Tools of this agent: write_file.");
  });

  it("answers the same to the same", async () => {
    expect(await offline('/write_file {"name":"a"}')).toEqual(await offline('/write_file {"name":"a"}'));
  });
});
