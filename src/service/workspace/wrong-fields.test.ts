import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { z } from "zod";
import type { JsonValue } from "../json.ts";
import { workspaceSchemas } from "./json-schemas.ts";
import { readWorkspace } from "./read-workspace.ts";

/** What of a JSON Schema says which fields there are. */
const schemaNode = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.json()).optional(),
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

interface Field {
  readonly path: readonly (string | number)[];
  readonly wrong: JsonValue;
  /** Around it stands a choice between forms, which may be named in its place. */
  readonly choiceAt: number | null;
}

/** Each field that a schema knows, with a value of a type that it cannot have. */
function* fieldsOf(
  node: SchemaNode,
  path: Field["path"] = [],
  choiceAt: number | null = null,
): Generator<Field> {
  const forms = (node.anyOf ?? node.oneOf)?.filter(({ type }) => type !== "null") ?? [node];
  const wrong = wrongFor(forms);
  if (path.length > 0 && wrong !== undefined) yield { path, wrong, choiceAt };
  const inside = forms.length === 1 ? choiceAt : (choiceAt ?? path.length);
  for (const { properties = {}, additionalProperties: others, items } of forms) {
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

/** A file that says this one thing. */
function fileWith(path: Field["path"], value: JsonValue): JsonValue {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const inner = fileWith(rest, value);
  return typeof first === "number" ? [inner] : { [first]: inner };
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
const fieldText = (path: Field["path"]) => path.join(".");

describe.each(
  [...workspaceSchemas()].flatMap(([name, text]) =>
    places[name] === undefined ? [] : [[places[name], text]],
  ),
)("S-195: each field of %s that has a value of a wrong type is named, with its line", (file, text) => {
  const fields = [...fieldsOf(schemaNode.parse(JSON.parse(text)))];
  test.each(fields.map((field) => [fieldText(field.path), field] as const))(
    "%s",
    async (_, { path, wrong, choiceAt }) => {
      const named = (await problemsWith(file, fileWith(path, wrong))).map(({ field }) => field);
      const accepted = [path, ...(choiceAt === null ? [] : [path.slice(0, choiceAt)])].map(fieldText);
      expect(named.some((field) => accepted.includes(field)) || named).toBe(true);
    },
  );
});
