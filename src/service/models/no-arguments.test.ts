import { expect, it } from "vitest";
import { chatStream } from "../../testing/model-streams.ts";
import { modelTests } from "../../testing/model-tests.ts";

const { server, ask } = modelTests({ local: "fake" });

async function callsWith(...pieces: readonly unknown[]) {
  const deltas = pieces.map((args) => {
    const call = { index: 0, id: "call_a", type: "function", function: { name: "list", arguments: args } };
    return { tool_calls: [call] };
  });
  server.next({ type: "raw", body: chatStream(deltas) });
  const { toolCalls } = await ask({
    tools: [{ name: "list", description: "Lists", parameters: { type: "object" } }],
  });
  return toolCalls;
}

it.each([["{}"], [""], ["null"], [null], [{}]])(
  "a call without arguments is made, however the model writes that there are none (%j)",
  async (args) => {
    expect(await callsWith(args)).toEqual([{ id: "call_a", name: "list", args: {} }]);
  },
);

const given = { pier: 1, arguments: { deep: "}" } };

it.each([
  ["as an object", given],
  ["as a text", JSON.stringify(given)],
  ["as a text that is written as a text once more", JSON.stringify(JSON.stringify(given))],
])("the arguments of a call are read where they come %s", async (_, args) => {
  expect(await callsWith(args)).toEqual([{ id: "call_a", name: "list", args: given }]);
});

it("a call whose arguments are no object, nor the text of one, is not made", async () => {
  for (const args of ['"pier 1"', "[1]", '"[1]"', '"{\\"pier\\":"'])
    expect(await callsWith(args)).toMatchObject([{ invalid: "The arguments are no JSON object." }]);
});
