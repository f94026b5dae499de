import { beforeEach, expect, it } from "vitest";
import { modelTests } from "../../testing/model-tests.ts";
import type { ToolSpec } from "./types.ts";

const { server, ask } = modelTests({ openai: "m", anthropic: "m", local: "m,gemini" });

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

/** What Gemini's endpoint reads of a schema; all else it refuses, with the whole request. */
const readByGemini = new Set([
  "type",
  "description",
  "nullable",
  "enum",
  "items",
  "properties",
  "required",
  "anyOf",
]);

function refusalOf(schema: unknown, at: string): string | null {
  if (typeof schema !== "object" || schema === null) return null;
  const { type, properties = {}, required = [], items, anyOf = [] } = Object(schema);
  const unknown = Object.keys(schema).find((keyword) => !readByGemini.has(keyword));
  if (unknown !== undefined) return `Unknown name "${unknown}" at '${at}': Cannot find field.`;
  if (Array.isArray(type))
    return `Unknown name "type" at '${at}': Proto field is not repeating, cannot start list.`;
  if (anyOf.length > 0 && Object.keys(schema).length > 1) return `${at}: any_of must be the only field set`;
  if (anyOf.length === 0 && type === undefined) return `${at}.type: must be specified`;
  if (type === "array" && items === undefined) return `${at}.items: missing field`;
  if (required.some((name: string) => !Object.hasOwn(properties, name)))
    return `${at}.required: property is not defined`;
  const parts = [...Object.values(properties), ...anyOf, items];
  return parts.map((part) => refusalOf(part, `${at}.properties`)).find((one) => one !== null) ?? null;
}

beforeEach(() => {
  server.otherwise(({ model, parameters }) => {
    const refusal =
      model === "gemini" ? refusalOf(parameters[0], "tools[0].function_declarations[0].parameters") : null;
    return refusal === null
      ? { type: "text", text: "Good." }
      : { type: "status", status: 400, message: refusal };
  });
});

it("Gemini, once it has refused a tool, is told of all in the schema that it reads", async () => {
  const schema: ToolSpec["parameters"] = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...{ type: "object", additionalProperties: false, title: "Moor", required: ["berth", "gone"] },
    $defs: {
      Berth: {
        ...{ type: "object", description: "A place", required: ["name"] },
        properties: { name: text, beside: { $ref: "#/$defs/Berth" } },
      },
    },
    properties: {
      berth: { $ref: "#/$defs/Berth" },
      kind: { const: "ship" },
      size: { enum: [1, 2], default: 1 },
      side: { oneOf: [{ const: "port" }, { const: "starboard" }], description: "Which" },
      since: { type: ["string", "null"], format: "date" },
      length: { type: ["number", "string"], description: "In metres", exclusiveMinimum: 0 },
      crew: { anyOf: [{ type: "array", items: text, uniqueItems: true }, { type: "null" }] },
      any: {},
      pair: { type: "array", prefixItems: [text, { type: "integer" }] },
      labels: { type: "object", additionalProperties: text },
    },
  };
  const { parameters } = await told("local/gemini", schema);
  expect(parameters).toEqual({
    type: "object",
    required: ["berth"],
    properties: {
      berth: {
        ...{ type: "object", description: "A place", required: ["name"] },
        properties: { name: text, beside: { type: "object" } },
      },
      kind: { type: "string", enum: ["ship"] },
      size: { type: "number" },
      side: { type: "string", enum: ["port", "starboard"], description: "Which" },
      since: { type: "string", nullable: true },
      length: {
        anyOf: [
          { type: "number", description: "In metres" },
          { type: "string", description: "In metres" },
        ],
      },
      crew: { type: "array", items: text, nullable: true },
      any: text,
      pair: { type: "array", items: { anyOf: [text, { type: "integer" }] } },
      labels: { type: "object" },
    },
  });
  const before = server.calls.length;
  expect((await told("local/gemini", either)).parameters).toEqual({
    type: "object",
    required: ["by"],
    properties: {
      ...{ berth: text, pier: { type: "string", nullable: true }, name: text, number: { type: "integer" } },
      by: { type: "string", enum: ["name", "number"] },
    },
  });
  expect(server.calls.length - before).toBe(1);
});

it("S-336: a tool whose schema names its parts again and again is told of in good time", async () => {
  const parts = Array.from({ length: 40 }, (_, at) => {
    const next = { $ref: `#/$defs/d${at + 1}` };
    return [`d${at}`, { type: "object", properties: { a: next, b: next } }] as const;
  });
  const schema = {
    type: "object",
    $defs: Object.fromEntries(parts),
    properties: { a: { $ref: "#/$defs/d0" } },
  };
  const { parameters } = await told("local/gemini", schema);
  expect(JSON.stringify(parameters)).not.toContain("$ref");
  expect(JSON.stringify(parameters).length).toBeLessThan(200_000);
});
