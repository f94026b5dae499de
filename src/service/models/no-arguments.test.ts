import { expect, it } from "vitest";
import { chatStream } from "../../testing/model-streams.ts";
import { modelTests } from "../../testing/model-tests.ts";

const { server, ask } = modelTests({ local: "fake" });

it.each([["{}"], [""], ["null"], [null]])(
  "a call without arguments is made, however the model writes that there are none (%j)",
  async (args) => {
    const call = { index: 0, id: "call_a", type: "function", function: { name: "list", arguments: args } };
    server.next({ type: "raw", body: chatStream([{ tool_calls: [call] }]) });
    const { toolCalls } = await ask({
      tools: [{ name: "list", description: "Lists", parameters: { type: "object" } }],
    });
    expect(toolCalls).toEqual([{ id: "call_a", name: "list", args: {} }]);
  },
);
