import { expect, it } from "vitest";
import { modelTests } from "../../testing/model-tests.ts";
import type { ToolSpec } from "./types.ts";

const { server, ask } = modelTests({ openai: "m", anthropic: "m", local: "m" });

/** What a provider hears of a tool of an MCP server. */
async function told(model: string, parameters: ToolSpec["parameters"], description = "Moors a ship") {
  const asked = ask({ model, tools: [{ name: "harbor__moor", description, parameters }] });
  // The test's server does not speak Anthropic's protocol, but hears what it is asked.
  await asked.catch(() => null);
  const call = server.calls.at(-1);
  return { parameters: call?.parameters[0], description: call?.described.harbor__moor };
}

const text = { type: "string" };
const byName = { const: "name" };
const byNumber = { const: "number" };
const own = { berth: text, pier: { oneOf: [text, { type: "null" }] } };
const either: ToolSpec["parameters"] = {
  type: "object",
  $defs: { text },
  required: ["by"],
  oneOf: [
    { properties: { by: byName, name: text }, required: ["name"] },
    { properties: { by: byNumber, number: { type: "integer" } }, required: ["number"] },
  ],
  anyOf: [{ required: ["berth"] }, { required: ["pier"] }],
  properties: own,
};

it.each(["openai/m", "anthropic/m"])(
  "%s is told of a tool with variants as one object, as it refuses them at the top",
  async (model) => {
    const { parameters } = await told(model, either);
    expect(parameters).toEqual({
      ...{ type: "object", $defs: { text }, required: ["by"] },
      properties: {
        ...own,
        ...{ by: { anyOf: [byName, byNumber] }, name: text, number: { type: "integer" } },
      },
    });
  },
);

it("a server that speaks OpenAI's protocol is told of a tool as its own server tells of it", async () => {
  const description = "x".repeat(2_000);
  expect(await told("local/m", either, description)).toEqual({ parameters: either, description });
});

it("openai/m is told what is in each list, and of a long description as much as it takes", async () => {
  const list = { type: "array" };
  const schema = {
    type: "object",
    properties: { ships: list, more: { type: ["array", "null"], items: list } },
  };
  const came = await told("openai/m", schema, "x".repeat(1_025));
  expect(came.parameters).toEqual({
    type: "object",
    properties: {
      ships: { type: "array", items: {} },
      more: { type: ["array", "null"], items: { type: "array", items: {} } },
    },
  });
  expect(came.description).toBe(`${"x".repeat(1_023)}…`);
});
