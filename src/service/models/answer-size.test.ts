import { expect, it } from "vitest";
import { anthropicStream, chatStream } from "../../testing/model-streams.ts";
import { modelTests } from "../../testing/model-tests.ts";

const { server, ask } = modelTests({ local: "fake", openai: "gpt", anthropic: "claude" });

const tools = [{ name: "save", description: "Saves a text", parameters: { type: "object" } }];
const long = "x".repeat(100_000);
const pieces = (count: number) => ['{"text":"', ...Array<string>(count).fill(long), '"}'];

const saving = (index: number, name = "save") => ({
  ...{ index, id: `call_${index}`, type: "function" },
  function: { name, arguments: "" },
});
const chat = (args: readonly string[]) =>
  chatStream([
    { tool_calls: [saving(0)] },
    ...args.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ]);
const use = { type: "tool_use", id: "toolu_1", name: "save" };
const claude = (args: readonly string[]) =>
  anthropicStream([
    [{ ...use, input: {} }, ...args.map((partial_json) => ({ type: "input_json_delta", partial_json }))],
  ]);
const calls = (count: number) =>
  chatStream(Array.from({ length: count }, (_, index) => ({ tool_calls: [saving(index)] })));

const answer = (model: string, body: string) => {
  server.next({ type: "raw", body });
  return ask({ model, tools });
};

it.each([
  ["arguments in pieces", "local/fake", chat(pieces(21))],
  ["arguments in pieces", "openai/gpt", chat(pieces(21))],
  ["arguments in pieces", "anthropic/claude", claude(pieces(21))],
  [
    "arguments at once",
    "anthropic/claude",
    anthropicStream([[{ ...use, input: { text: long.repeat(21) } }]]),
  ],
  ["the name of a tool", "local/fake", chatStream([{ tool_calls: [saving(0, long.repeat(21))] }])],
  [
    "thoughts that are kept from us",
    "anthropic/claude",
    anthropicStream(Array.from({ length: 21 }, () => [{ type: "redacted_thinking", data: long }])),
  ],
])(
  "S-384: an answer whose length is that of %s has an end as one of text has (%s)",
  async (_, model, body) => {
    await expect(answer(model, body)).rejects.toMatchObject({
      ...{ failure: "broken", message: "The model's answer has no end." },
    });
  },
);

it("long arguments that a model may well write come whole", async () => {
  for (const [model, body] of [
    ["local/fake", chat(pieces(19))],
    ["anthropic/claude", claude(pieces(19))],
  ] as const) {
    const { toolCalls } = await answer(model, body);
    expect(toolCalls).toMatchObject([{ name: "save", args: { text: long.repeat(19) } }]);
  }
});

it("S-384: more tools at once than are called are not kept, nor asked for again", async () => {
  expect((await answer("local/fake", calls(100))).toolCalls).toHaveLength(100);
  await expect(answer("local/fake", calls(10_000))).rejects.toMatchObject({
    ...{ failure: "too_many", retryable: false },
    message: "The model asked for more than 100 tools at once.",
  });
});
