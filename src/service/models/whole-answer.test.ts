import { expect, it } from "vitest";
import { modelTests } from "../../testing/model-tests.ts";

const { server, ask } = modelTests({ openai: "gpt", local: "fake" });

/** What is read of an answer that comes in one piece. */
async function read(model: string, message: object, finish_reason: string) {
  const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
  const choices = [{ index: 0, message: { role: "assistant", ...message }, finish_reason }];
  const body = { id: "1", object: "chat.completion", created: 1, model: "fake", choices, usage };
  const contentType = "application/json; charset=utf-8";
  server.next({ type: "raw", contentType, body: JSON.stringify(body, null, 2) });
  return await ask({
    model,
    tools: [{ name: "moor", description: "Moors", parameters: { type: "object" } }],
  });
}

it.each(["local/fake", "openai/gpt"])(
  "an answer of %s that comes in one piece, whatever was asked for, is an answer",
  async (model) => {
    expect(await read(model, { content: "Good – 保留.", tool_calls: null }, "stop")).toEqual({
      ...{ text: "Good – 保留.", reasoning: null, toolCalls: [], finish: "stop" },
      usage: { input_tokens: 7, output_tokens: 3 },
    });
    const call = (id: string, pier: number) => ({
      ...{ id, type: "function", function: { name: "moor", arguments: JSON.stringify({ pier }) } },
    });
    const calling = { content: null, tool_calls: [call("call_a", 1), call("call_b", 2)] };
    expect(await read(model, calling, "tool_calls")).toMatchObject({
      toolCalls: [
        { id: "call_a", name: "moor", args: { pier: 1 } },
        { id: "call_b", name: "moor", args: { pier: 2 } },
      ],
      finish: "tools",
    });
  },
);

it("what was thought before it is told apart", async () => {
  const message = { content: "Good.", reasoning_content: "The tide is out." };
  expect(await read("local/fake", message, "stop")).toMatchObject({
    ...{ text: "Good.", reasoning: "The tide is out." },
  });
});
