import { expect, it } from "vitest";
import { chatStream } from "../../testing/model-streams.ts";
import { modelTests } from "../../testing/model-tests.ts";

const { server, ask } = modelTests({ local: "fake", openai: "gpt" });

const answerThatEnds = (reason: string, model = "local/fake") => {
  server.next({ type: "raw", body: chatStream([{ content: "The tide is" }], reason) });
  return ask({ model });
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

it.each([
  ["a line", undefined, "data: "],
  ["an answer in one piece", "application/json", '{"choices": [\n'],
])(
  "S-382: %s that is longer than any answer is broken off, not held for as long as it comes",
  async (_, contentType, begins) => {
    const body = `${begins}${"x".repeat(18_000_000)}`;
    server.next({ type: "raw", body, ...(contentType === undefined ? {} : { contentType }) });
    await expect(ask()).rejects.toMatchObject({
      failure: "broken",
      message: "The model's answer has no end.",
    });
  },
);
