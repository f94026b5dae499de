import { expect, it } from "vitest";
import { chatStream } from "../../testing/model-streams.ts";
import { modelRequest, modelSettings, modelTests } from "../../testing/model-tests.ts";
import { createModels } from "./models.ts";

const { server, ask } = modelTests({ local: "fake", openai: "gpt" });

/** An answer whose last piece, before the end of its stream, is this. */
async function answerWith(model: string, last: string) {
  const body = chatStream([{ content: "Good." }], "stop").replace("data: [DONE]", `${last}data: [DONE]`);
  server.next({ type: "raw", body });
  return await ask({ model });
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
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const headers = { "content-type": "text/event-stream" };
  const fetch = async () => new Response(stream, { headers });
  const slow = createModels(modelSettings(server.url, { local: "fake" }), { fetch });
  const answer = await slow.ask(modelRequest());
  expect(answer.text).toBe("保留 – 🚢");
});
