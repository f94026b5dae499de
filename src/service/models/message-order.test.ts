import { expect, it } from "vitest";
import type { ModelCallSeen } from "../../testing/fake-model-server.ts";
import { anthropicStream } from "../../testing/model-streams.ts";
import { modelTests } from "../../testing/model-tests.ts";
import type { ModelMessage } from "./types.ts";

const { server, ask } = modelTests({
  local: "mistral-small-latest,qwen,claude-by-litellm",
  anthropic: "claude",
});

/** A turn that ended after its tools had answered, as one does that is stopped, and what is asked then. */
const stopped: readonly ModelMessage[] = [
  { role: "user", text: "Read" },
  { role: "assistant", text: "", toolCalls: [{ id: "D681PevKs", name: "read_file", args: {} }] },
  { role: "tool", answers: [{ id: "D681PevKs", name: "read_file", failed: false, result: "Done" }] },
  { role: "user", text: "And now?" },
];

async function rolesTold(model: string, messages: readonly ModelMessage[]) {
  await ask({ model, messages });
  return server.calls.at(-1)?.messages.map(({ role }) => role);
}

it("a conversation goes on after a turn that was stopped at its tools, also with Mistral's models", async () => {
  const bridged = ["user", "assistant", "tool", "assistant", "user"];
  expect(await rolesTold("local/mistral-small-latest", stopped)).toEqual(bridged);
  const said = server.calls.at(-1)?.messages[3];
  expect(said).toMatchObject({ content: "(The turn ended before I could answer.)" });
});

it("nothing is put in where Mistral's models take it as it is, nor for others", async () => {
  expect(await rolesTold("local/mistral-small-latest", stopped.slice(0, 3))).toEqual([
    "user",
    "assistant",
    "tool",
  ]);
  expect(await rolesTold("local/qwen", stopped)).toEqual(["user", "assistant", "tool", "user"]);
});

/** As Anthropic and those who hand on to it do it. */
const wantsTools = ({ messages, tools }: ModelCallSeen) => {
  const message =
    "litellm.UnsupportedParamsError: Anthropic doesn't support tool calling without `tools=` param specified.";
  const hasCalls = JSON.stringify(messages).includes("read_file");
  if (hasCalls && tools.length === 0) return { type: "status", status: 400, message } as const;
  return { type: "text", text: "Good." } as const;
};

it("a conversation goes on that has calls of tools which its agent has no more, also with Claude by LiteLLM", async () => {
  server.otherwise(wantsTools);
  expect(await rolesTold("local/claude-by-litellm", stopped)).toEqual(["user", "assistant", "tool", "user"]);
  expect(server.calls.at(-1)?.tools).toEqual(["read_file"]);
  const before = server.calls.length;
  await rolesTold("local/claude-by-litellm", stopped);
  expect(server.calls.length - before).toBe(1);
  await rolesTold("local/qwen", stopped.slice(0, 1));
  expect(server.calls.at(-1)?.fields).not.toContain("tools");
});

it("Anthropic is told of the tools that were called, where its agent has none any more", async () => {
  server.next({ type: "raw", body: anthropicStream([[{ type: "text", text: "Good." }]], "end_turn") });
  await rolesTold("anthropic/claude", stopped);
  const told = server.calls.at(-1);
  expect(told).toMatchObject({ tools: ["read_file"], parameters: [{ type: "object" }] });
});

it("a tool that its agent has no more is not called, although its model asks for it", async () => {
  const call = { type: "tool_use", id: "toolu_1", name: "read_file", input: {} };
  server.next({ type: "raw", body: anthropicStream([[call]]) });
  const { toolCalls } = await ask({ model: "anthropic/claude", messages: stopped });
  expect(toolCalls).toMatchObject([{ name: "read_file", invalid: "There is no tool read_file." }]);
});
