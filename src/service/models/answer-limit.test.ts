import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeModelServer, startFakeModelServer } from "../../testing/fake-model-server.ts";
import { createModels, type Models } from "./models.ts";
import { readModelSettings } from "./settings.ts";

let server: FakeModelServer;
let models: Models;
beforeAll(async () => {
  server = await startFakeModelServer();
  const settings = readModelSettings({
    WHEELHOUSE_OPENAI_COMPATIBLE_URL: server.url,
    WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "my-deployment,qwen",
  });
  models = createModels(settings, { fetch: globalThis.fetch });
});
afterAll(() => server.close());

async function ask(model: string) {
  const { text } = await models.ask({
    ...{ model, system: "", messages: [{ role: "user", text: "Hello" }], tools: [] },
    ...{ temperature: null, maxTokens: 500, idempotencyKey: "k", signal: new AbortController().signal },
  });
  return { text, told: server.calls.at(-1) };
}

it("a limit of tokens is told to a newer OpenAI model that others serve, such as Azure, by the name that it takes", async () => {
  const message =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  server.otherwise(({ fields }) =>
    fields.includes("max_tokens")
      ? { type: "status", status: 400, message }
      : { type: "text", text: "Good." },
  );
  const { text, told } = await ask("local/my-deployment");
  expect(text).toBe("Good.");
  expect(told).toMatchObject({ maxTokens: 500, fields: expect.arrayContaining(["max_completion_tokens"]) });
  const before = server.calls.length;
  await ask("local/my-deployment");
  expect(server.calls.length - before).toBe(1);
});

it("others are told it by the name that they know", async () => {
  server.otherwise(({ fields }) =>
    fields.includes("max_completion_tokens")
      ? { type: "status", status: 400 }
      : { type: "text", text: "Good." },
  );
  const { told } = await ask("local/qwen");
  expect(told).toMatchObject({ maxTokens: 500, fields: expect.arrayContaining(["max_tokens"]) });
});
