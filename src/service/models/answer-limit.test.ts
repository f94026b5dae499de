import { expect, it } from "vitest";
import { modelTests } from "../../testing/model-tests.ts";

const { server, ask } = modelTests({ local: "my-deployment,qwen" });

async function askWithLimit(model: string) {
  const { text } = await ask({ model, maxTokens: 500 });
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
  const { text, told } = await askWithLimit("local/my-deployment");
  expect(text).toBe("Good.");
  expect(told).toMatchObject({ maxTokens: 500, fields: expect.arrayContaining(["max_completion_tokens"]) });
  const before = server.calls.length;
  await askWithLimit("local/my-deployment");
  expect(server.calls.length - before).toBe(1);
});

it("others are told it by the name that they know", async () => {
  server.otherwise(({ fields }) =>
    fields.includes("max_completion_tokens")
      ? { type: "status", status: 400 }
      : { type: "text", text: "Good." },
  );
  const { told } = await askWithLimit("local/qwen");
  expect(told).toMatchObject({ maxTokens: 500, fields: expect.arrayContaining(["max_tokens"]) });
});
