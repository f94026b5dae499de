import { expect, it } from "vitest";
import { modelTests } from "../../testing/model-tests.ts";
import type { ModelMessage } from "./types.ts";

const { server, ask } = modelTests({ local: "mistral-small-latest,qwen" });

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
