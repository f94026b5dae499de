import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { z } from "zod";
import type { JsonValue } from "../json.ts";
import { nodeTypes } from "../nodes/registry.ts";
import { workspaceSchemas } from "./json-schemas.ts";
import { readWorkspace } from "./read-workspace.ts";

/** What of a JSON Schema says which fields there are. */
const schemaNode = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  get properties() {
    return z.record(z.string(), schemaNode).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), schemaNode]).optional();
  },
  get items() {
    return schemaNode.optional();
  },
  get anyOf() {
    return z.array(schemaNode).optional();
  },
  get oneOf() {
    return z.array(schemaNode).optional();
  },
});
type SchemaNode = z.output<typeof schemaNode>;

type Path = readonly (string | number)[];

interface Field {
  readonly path: Path;
  readonly wrong: JsonValue;
  /** What says which of several forms is meant, of all that stands around it. */
  readonly forms: readonly (readonly [path: Path, value: JsonValue])[];
  /** Around it stands a choice between forms, which may be named in its place. */
  readonly choiceAt: number | null;
}

/** Each field that a schema knows, with a value of a type that it cannot have. */
function* fieldsOf(
  node: SchemaNode,
  path: Path = [],
  around: Pick<Field, "forms" | "choiceAt"> = { forms: [], choiceAt: null },
): Generator<Field> {
  const forms = (node.anyOf ?? node.oneOf)?.filter(({ type }) => type !== "null") ?? [node];
  const wrong = wrongFor(forms);
  if (path.length > 0 && wrong !== undefined) yield { path, wrong, ...around };
  for (const { properties = {}, additionalProperties: others, items } of forms) {
    const said = Object.entries(properties).flatMap(([name, { const: value }]) =>
      value === undefined ? [] : [[[...path, name], value] as const],
    );
    // One of several is `oneOf` where a field says which.
    const isChoice = forms.length > 1 && node.oneOf === undefined;
    const inside = {
      forms: [...around.forms, ...said],
      choiceAt: isChoice ? (around.choiceAt ?? path.length) : around.choiceAt,
    };
    for (const [name, inner] of Object.entries(properties)) yield* fieldsOf(inner, [...path, name], inside);
    if (typeof others === "object") yield* fieldsOf(others, [...path, "some_name"], inside);
    if (items !== undefined) yield* fieldsOf(items, [...path, 0], inside);
  }
}

/** @returns undefined where everything is right */
function wrongFor(forms: readonly SchemaNode[]): JsonValue | undefined {
  const types = forms.flatMap(({ type, enum: values }) => (values !== undefined ? [] : (type ?? ["any"])));
  if (types.includes("any")) return undefined;
  if (!types.includes("string")) return "none of them";
  return types.includes("array") ? 7 : [7];
}

/** A file that says this one thing, and what it takes for that. */
function fileWith({ path, wrong, forms }: Field): JsonValue {
  return [...forms, [path, wrong] as const].reduce<JsonValue>(
    (file, [at, value]) => put(file, at, value),
    {},
  );
}

/** The same content with another value at a path. */
function put(content: JsonValue, [first, ...rest]: Path, value: JsonValue): JsonValue {
  if (first === undefined) return value;
  if (typeof first === "number")
    return [put(z.array(z.json()).safeParse(content).data?.[first] ?? {}, rest, value)];
  const fields: Readonly<Record<string, JsonValue>> =
    z.record(z.string(), z.json()).safeParse(content).data ?? {};
  return { ...fields, [first]: put(fields[first] ?? {}, rest, value) };
}

const places: Readonly<Record<string, string>> = {
  "wheelhouse.json": "wheelhouse.yaml",
  "agent.json": "agents/one.yaml",
  "source.json": "knowledge/one/source.yaml",
  "mcp.json": "mcp.json",
};

const folder = mkdtempSync(join(tmpdir(), "wheelhouse-fields-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function problemsWith(file: string, content: JsonValue) {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, file.endsWith(".json") ? JSON.stringify(content) : stringify(content));
  const { problems } = await readWorkspace(folder);
  rmSync(path);
  return problems.filter((problem) => problem.file === file);
}

/** `nodes.greeting.text`, as problems have it. */
const fieldText = (path: Path) => path.join(".");

async function expectNamed(
  file: string,
  content: JsonValue,
  { path, choiceAt }: Pick<Field, "path" | "choiceAt">,
) {
  const problems = await problemsWith(file, content);
  const accepted = [path, ...(choiceAt === null ? [] : [path.slice(0, choiceAt)])].map(fieldText);
  const named = problems.filter(({ field }) => accepted.includes(field));
  expect(named.length > 0 || problems).toBe(true);
  for (const { line } of named) expect(line).toBeGreaterThan(0);
}

describe.each(
  [...workspaceSchemas()].flatMap(([name, text]) =>
    places[name] === undefined ? [] : [[places[name], text]],
  ),
)("S-195: each field of %s that has a value of a wrong type is named, with its line", (file, text) => {
  const fields = [...fieldsOf(schemaNode.parse(JSON.parse(text)))];
  test.each(fields.map((field) => [fieldText(field.path), field] as const))("%s", (_, field) =>
    expectNamed(file, fileWith(field), field),
  );
});

/** What stands around the nodes of a flow: nodes are read once that is right. */
const flowHead = { id: "flow_one", name: "One", owner: "user_ada", nodes: {} };
const flow = "flows/one.yaml";

/** A flow with something else in it. */
const flowWith = (path: Path, value: JsonValue) => put(flowHead, path, value);

describe("S-195: each field of a flow that has a value of a wrong type is named, with its line", () => {
  const { nodes = {}, ...head } =
    schemaNode.parse(JSON.parse(workspaceSchemas().get("flow.json") ?? "")).properties ?? {};
  const fields = [...fieldsOf({ properties: { ...head, nodes: { type: nodes.type } } })];
  test.each(fields.map((field) => [fieldText(field.path), field] as const))("%s", (_, field) =>
    expectNamed(flow, flowWith(field.path, field.wrong), field),
  );
});

describe.each(nodeTypes.map(({ type, schema }) => [type, schema] as const))(
  "S-195: each field of a node %s that has a value of a wrong type is named, with its line",
  (_type, schema) => {
    const made = z.toJSONSchema(schema, { io: "input", reused: "inline", unrepresentable: "any" });
    const fields = [...fieldsOf(schemaNode.parse(made))];
    const place = ["nodes", "one"];
    test.each(fields.map((field) => [fieldText(field.path), field] as const))("%s", (_, field) => {
      const choiceAt = field.choiceAt === null ? null : field.choiceAt + place.length;
      return expectNamed(flow, flowWith(place, fileWith(field)), {
        path: [...place, ...field.path],
        choiceAt,
      });
    });
  },
);
