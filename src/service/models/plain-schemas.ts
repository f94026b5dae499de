import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** So many schemas are read of one tool; what names parts of itself again and again would have no end. */
const mostSchemas = 2_000;
const known = ["string", "number", "integer", "boolean", "array", "object"];

/**
 * The schema of a tool for whoever reads no more of JSON Schema than Gemini does: one type each, `nullable`, `enum` of
 * texts, `anyOf` with nothing beside it, and no keyword beyond those of objects and lists.
 */
export function plainSchema(root: JsonObject): JsonObject {
  let left = mostSchemas;

  function plain(schema: JsonValue | undefined, open: readonly string[]): JsonObject {
    left -= 1;
    if (!isJsonObject(schema) || left < 0) return { type: "string" };
    const { $ref: ref, ...beside } = schema;
    if (typeof ref === "string") {
      const target = open.includes(ref) ? undefined : lookUp(root, ref);
      // Of what has itself as a part nothing more is told.
      if (!isJsonObject(target)) return { type: "object", ...described(schema) };
      return plain({ ...target, ...beside }, [...open, ref]);
    }
    const { allOf, anyOf, oneOf } = schema;
    const all = [schema, ...listOf(allOf).map((part) => resolved(part, open))];
    const variants = [...listOf(anyOf), ...listOf(oneOf)];
    if (all.some(({ properties }) => isJsonObject(properties))) {
      // What only a variant asks for is not asked for always.
      const asked = all.flatMap(({ required }) => listOf(required));
      return objectOf([...all, ...variants.map((part) => resolved(part, open))], asked, open);
    }
    if (variants.length > 0) return oneOfThese(variants, schema, open);
    const whole: JsonObject = Object.fromEntries(all.flatMap((part) => Object.entries(part)));
    const types = typesOf(whole);
    const only = types.filter((type) => type !== "null");
    if (only.length > 1) {
      const separate = types.map((type) => ({ ...whole, type }));
      return oneOfThese(separate, schema, open);
    }
    const nullable = types.includes("null") ? { nullable: true } : {};
    return { ...ofType(only[0] ?? "string", whole, open), ...nullable, ...described(schema) };
  }

  function ofType(type: string, schema: JsonObject, open: readonly string[]): JsonObject {
    if (type === "array") {
      const items = [...listOf(schema.items), ...listOf(schema.prefixItems)];
      const inside = items.length > 0 ? { anyOf: items } : schema.items;
      return { type, items: plain(inside, open) };
    }
    const values = valuesOf(schema).filter((value) => typeof value === "string" && value !== "");
    return type === "string" && values.length > 0 ? { type, enum: values } : { type };
  }

  function objectOf(parts: readonly JsonObject[], asked: readonly JsonValue[], open: readonly string[]) {
    const found = new Map<string, JsonValue[]>();
    for (const { properties } of parts) {
      for (const [name, one] of Object.entries(isJsonObject(properties) ? properties : {}))
        found.set(name, [...(found.get(name) ?? []), one]);
    }
    const properties = [...found].map(([name, [first = {}, ...others]]) => {
      return [name, plain(others.length === 0 ? first : { anyOf: [first, ...others] }, open)] as const;
    });
    const required = [...new Set(asked)].filter((name) => typeof name === "string" && found.has(name));
    const nullable = parts.some((part) => part.nullable === true || listOf(part.type).includes("null"));
    return {
      ...{ type: "object", ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}) },
      ...(required.length > 0 ? { required } : {}),
      ...(nullable ? { nullable: true } : {}),
      ...described(parts[0] ?? {}),
    };
  }

  /** Nothing may stand beside them, so each says what was said of all. */
  function oneOfThese(
    variants: readonly JsonValue[],
    schema: JsonObject,
    open: readonly string[],
  ): JsonObject {
    const isNull = (one: JsonValue) => isJsonObject(one) && (one.type === "null" || one.const === null);
    const nullable = variants.some(isNull) ? { nullable: true } : {};
    const all = variants.filter((one) => !isNull(one)).map((one) => plain(one, open));
    const told = all.map((one) => ({ ...described(schema), ...one, ...nullable }));
    const [only = { type: "string", ...nullable }, ...more] = told;
    // Several texts are one choice.
    const texts = [...new Set(all.flatMap((one) => listOf(one.enum)))];
    if (texts.length > 0 && all.every((one) => one.enum !== undefined)) return { ...only, enum: texts };
    return more.length === 0 ? only : { anyOf: told };
  }

  function resolved(part: JsonValue, open: readonly string[]): JsonObject {
    if (!isJsonObject(part)) return {};
    const target =
      typeof part.$ref === "string" && !open.includes(part.$ref) ? lookUp(root, part.$ref) : part;
    return isJsonObject(target) ? target : {};
  }

  return { properties: {}, ...plain({ type: "object", ...root, properties: root.properties ?? {} }, ["#"]) };
}

const described = ({ description }: JsonObject) => (typeof description === "string" ? { description } : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const valuesOf = (schema: JsonObject) => ("const" in schema ? [schema.const ?? null] : listOf(schema.enum));

function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  const named = (Array.isArray(type) ? type : [type]).filter(
    (one) => one === "null" || known.includes(String(one)),
  );
  const values = valuesOf(schema);
  const types =
    named.length > 0 ? named : values.length > 0 ? [...new Set(values.map(typeOf))] : [guess(schema)];
  return [...new Set([...types, ...(schema.nullable === true ? ["null"] : [])].map(String))];
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function guess(schema: JsonObject): string {
  if (schema.items !== undefined || schema.prefixItems !== undefined) return "array";
  return schema.additionalProperties !== undefined ? "object" : "string";
}

/** What a reference within a schema is to; `#/$defs/Berth`. */
function lookUp(root: JsonObject, ref: string): JsonValue | undefined {
  if (!ref.startsWith("#")) return undefined;
  const names = ref.slice(1).split("/").slice(1);
  return names.reduce<JsonValue | undefined>((at, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
}
