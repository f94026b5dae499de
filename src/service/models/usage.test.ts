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

/** An answer whose last piece, before the end of its stream, is this. */
async function answerWith(model: string, last: string) {
  const body = chatStream([{ content: "Good." }], "stop").replace("data: [DONE]", `${last}data: [DONE]`);
  server.next({ type: "raw", body });
  return await models.ask({
    ...{ model, system: "", messages: [{ role: "user", text: "Hello" }], tools: [] },
    ...{ temperature: null, maxTokens: null, idempotencyKey: "k", signal: new AbortController().signal },
  });
}

const counts = '"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}';
const counted = { input_tokens: 7, output_tokens: 3 };
const unknown = { input_tokens: null, output_tokens: null };

it.each(["local/fake", "openai/gpt"])(
  "%s tells its tokens in whichever form servers send them",
  async (model) => {
    for (const [last, usage] of [
      [`data: {"choices":[],${counts}}\n\n`, counted],
      [`data: {${counts}}\n\n`, counted],
      [`data: {"id":"1","choices":null,${counts}}\r\n\r\n`, counted],
      ["", unknown],
      ['data: {"choices":[],"usage":null}\n\n', unknown],
      ['data: {"choices":[],"usage":{"prompt_tokens":null,"completion_tokens":null}}\n\n', unknown],
      ['data: {"choices":[],"usage":{}}\n\n', unknown],
    ] as const) {
      expect([last, await answerWith(model, last)]).toMatchObject([last, { text: "Good.", usage }]);
    }
  },
);

it("an answer that comes byte by byte, also in the middle of a letter, is read as it is", async () => {
  const body = chatStream([{ content: "保留 – " }, { content: "🚢" }], "stop");
  const bytes = new TextEncoder().encode(`${body}data: {${counts}}`);
  const settings = readModelSettings({
    ...{ WHEELHOUSE_OPENAI_COMPATIBLE_URL: server.url, WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "fake" },
  });
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const headers = { "content-type": "text/event-stream" };
  const slow = createModels(settings, { fetch: async () => new Response(stream, { headers }) });
  const answer = await slow.ask({
    ...{ model: "local/fake", system: "", messages: [{ role: "user", text: "Hello" }], tools: [] },
    ...{ temperature: null, maxTokens: null, idempotencyKey: "k", signal: new AbortController().signal },
  });
  expect(answer.text).toBe("保留 – 🚢");
});
