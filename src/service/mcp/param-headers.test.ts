import { expect, it } from "vitest";
import { hasUsableHeaders } from "./param-headers.ts";

const tool = (properties: object, more: object = {}) =>
  hasUsableHeaders({ type: "object", properties, ...more });
const text = (header: unknown, type = "string") => ({ type, "x-mcp-header": header });

it("S-206: parameters that are sent as headers are plain ones, reached by name, each under a name of its own", () => {
  expect(tool({})).toBe(true);
  expect(tool({ region: text("Region"), count: text("Count", "integer"), now: text("Now", "boolean") })).toBe(
    true,
  );
  expect(tool({ place: { type: "object", properties: { region: text("Region") } } })).toBe(true);
  // A parameter that is only called so, and a value that says it.
  expect(tool({ "x-mcp-header": { type: "string" } })).toBe(true);
  expect(tool({ a: { type: "object", default: text("") } })).toBe(true);
});

it.each([
  ["an empty name", { a: text("") }],
  ["a name that is no text", { a: text(7) }],
  ["a name with a space", { a: text("My Region") }],
  ["a name that ends the line", { a: text("Region\r\nx-other: 1") }],
  ["a number", { a: text("Size", "number") }],
  ["an object", { a: text("Size", "object") }],
  ["a type that is left open", { a: { "x-mcp-header": "Size" } }],
  ["two of one name", { a: text("Region"), b: text("REGION") }],
  ["one in a list", { a: { type: "array", items: text("Region") } }],
  ["one of several", { a: { anyOf: [text("Region")] } }],
])("S-206: a tool with %s as a header is not offered", (_, properties) => {
  expect(tool(properties)).toBe(false);
});

it("S-206: nor one whose definitions have one, or that is one itself", () => {
  expect(tool({}, { $defs: { a: text("Region") } })).toBe(false);
  expect(tool({}, { "x-mcp-header": "Region" })).toBe(false);
});
