import * as z from "zod/mini";
import { knownOf } from "../../contract/open-enum.ts";

/** A part of an OpenAPI document. */
export type Json = { [key: string]: unknown };

/** What may be sent. */
export function requestSchema(schema: z.core.$ZodType): Json {
  return schemaOf(schema, "input");
}

/** What comes out of a schema: an answer, or what a parameter means. */
export function responseSchema(schema: z.core.$ZodType): Json {
  return schemaOf(schema, "output");
}

function schemaOf(schema: z.core.$ZodType, io: "input" | "output"): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: adapt });
  return rest;
}

/** What the schemas say beyond what the library puts into JSON Schema, and what it says too much. */
function adapt({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  const known = knownOf(zodSchema);
  if (known) jsonSchema.description = `Known values: ${known.join(", ")}. Others may come.`;
  // Answers may have more fields one day; readers skip what they do not know.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

const sentence = { type: "string" };

/** The bodies of errors, by the names under which answers refer to them. */
export const namedSchemas = {
  FlatError: {
    type: "object",
    required: ["error", "message"],
    properties: { error: sentence, message: sentence },
  },
  NestedError: {
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["code", "message", "type", "param", "details"],
        properties: {
          code: sentence,
          message: sentence,
          type: sentence,
          param: { type: ["string", "null"] },
          details: {},
        },
      },
    },
  },
};
