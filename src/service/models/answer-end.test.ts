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
    ...{ OPENAI_API_KEY: "k1", OPENAI_BASE_URL: server.url, WHEELHOUSE_OPENAI_MODELS: "gpt" },
    ...{ WHEELHOUSE_OPENAI_COMPATIBLE_URL: server.url, WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "fake" },
  });
  models = createModels(settings, { fetch: globalThis.fetch });
});
afterAll(() => server.close());

const answerThatEnds = (reason: string, model = "local/fake") => {
  server.next({ type: "raw", body: chatStream([{ content: "The tide is" }], reason) });
  return models.ask({
    ...{ model, system: "", messages: [{ role: "user", text: "Hello" }], tools: [] },
    ...{ temperature: null, maxTokens: null, idempotencyKey: "k", signal: new AbortController().signal },
  });
};

it.each(["insufficient_system_resource", "network_error", "error", "abort"])(
  "S-19: an answer that its server broke off, saying so at its end (%s), is not taken for a whole one",
  async (reason) => {
    for (const model of ["local/fake", "openai/gpt"]) {
      await expect(answerThatEnds(reason, model)).rejects.toMatchObject({
        ...{ failure: "broken", retryable: true },
        message: "The model stopped in the middle of its answer.",
      });
    }
  },
);

it.each(["stop", "eos", "end_turn"])("one that ends by itself is whole (%s)", async (reason) => {
  expect(await answerThatEnds(reason)).toMatchObject({ text: "The tide is", finish: "stop" });
});
