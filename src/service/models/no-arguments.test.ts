import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeModelServer, startFakeModelServer } from "../../testing/fake-model-server.ts";
import { chatStream } from "../../testing/model-streams.ts";
import { createModels, type Models } from "./models.ts";
import { readModelSettings } from "./settings.ts";

let server: FakeModelServer;
let models: Models;
beforeAll(async () => {
  server = await startFakeModelServer();
  const settings = readModelSettings({
    WHEELHOUSE_OPENAI_COMPATIBLE_URL: server.url,
    WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "fake",
  });
  models = createModels(settings, { fetch: globalThis.fetch });
});
afterAll(() => server.close());

it.each([["{}"], [""], ["null"], [null]])(
  "a call without arguments is made, however the model writes that there are none (%j)",
  async (args) => {
    const call = { index: 0, id: "call_a", type: "function", function: { name: "list", arguments: args } };
    server.next({ type: "raw", body: chatStream([{ tool_calls: [call] }]) });
    const { toolCalls } = await models.ask({
      ...{ model: "local/fake", system: "", messages: [{ role: "user", text: "Hello" }] },
      tools: [{ name: "list", description: "Lists", parameters: { type: "object" } }],
      ...{ temperature: null, maxTokens: null, idempotencyKey: "k", signal: new AbortController().signal },
    });
    expect(toolCalls).toEqual([{ id: "call_a", name: "list", args: {} }]);
  },
);
