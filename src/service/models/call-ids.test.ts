import { expect, it } from "vitest";
import { modelRequest, modelSettings, modelTests } from "../../testing/model-tests.ts";
import { createModels } from "./models.ts";
import type { ModelMessage } from "./types.ts";

const { server } = modelTests({});

/** A turn whose answers ask for one call each, by these ids. */
function turnOf(ids: readonly string[]): ModelMessage[] {
  const rounds = ids.flatMap((id): ModelMessage[] => [
    { role: "assistant", text: "", toolCalls: [{ id, name: "read_file", args: {} }] },
    { role: "tool", answers: [{ id, name: "read_file", failed: false, result: "Done" }] },
  ]);
  return [{ role: "user", text: "Read" }, ...rounds, { role: "user", text: "And now?" }];
}

/** The ids that the server is told, of calls and of answers. */
async function toldTo(model: string, ids: readonly string[], url = server.url) {
  // Whatever the address, it is the test's server that answers.
  const fetch = (_: unknown, init?: RequestInit) => globalThis.fetch(`${server.url}/chat/completions`, init);
  const models = createModels(modelSettings(url, { local: model }), { fetch });
  await models.ask(modelRequest({ model: `local/${model}`, messages: turnOf(ids) }));
  const said = JSON.stringify(server.calls.at(-1)?.messages);
  const asked = [...said.matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id ?? "");
  const answered = [...said.matchAll(/"tool_call_id":"([^"]*)"/g)].map(([, id]) => id ?? "");
  return { asked, answered };
}

/** As Anthropic, OpenAI, this service and Mistral itself make them. */
const ids = ["toolu_01A09q90qw90lq917835lq9", "call_1", "call_1", "D681PevKs", "D681PevKs", "call00002"];

it.each([
  ["mistral-large-latest", "https://api.mistral.ai/v1"],
  ["my-alias", "https://codestral.mistral.ai/v1"],
  ["mistralai/Devstral-Small-2507", undefined],
])(
  "a conversation that began with another provider's model goes on with Mistral's %s",
  async (model, url) => {
    const { asked, answered } = await toldTo(model, ids, url);
    for (const id of asked) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(new Set(asked).size).toBe(ids.length);
    expect(asked[3]).toBe("D681PevKs");
    expect(answered).toEqual(asked);
  },
);

it("what is told once to Mistral is told by the same ids in the next request", async () => {
  const first = await toldTo("ministral-8b", ids);
  const second = await toldTo("ministral-8b", [...ids, "call_9"]);
  expect(second.asked.slice(0, ids.length)).toEqual(first.asked);
});

it("other models are told their own ids", async () => {
  const own = ["functions.read_file:0", "call_1"];
  expect((await toldTo("kimi-k2", own)).asked).toEqual(own);
});
