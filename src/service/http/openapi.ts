import * as z from "zod/mini";
import type { Endpoint } from "../../contract/define.ts";
import { commonErrors, type ErrorCode, errorCatalogue } from "../../contract/errors.ts";

type Json = { [key: string]: unknown };

/**
 * The OpenAPI 3.1 document of a table of endpoints, for `GET /api/v1/openapi.json`.
 * @param version of this service; the interface itself is 1.0.0
 */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(endpoint);
    paths[endpoint.path] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Agent and workflow automation service",
      version: "1.0.0",
      description: `As implemented by Wheelhouse ${version}.`,
    },
    servers: [{ url: "/api/v1" }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key or an OAuth 2.0 access token." },
      },
      schemas: { FlatError: flatError, NestedError: nestedError },
    },
  };
}

function operation(endpoint: Endpoint): Json {
  const parameters = [...parametersOf(endpoint.params, "path"), ...parametersOf(endpoint.query, "query")];
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    description: `${endpoint.section} (${endpoint.tier})`,
    tags: [endpoint.tier],
    ...(endpoint.auth === "none" ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: schemaOf(endpoint.body, "input") } },
          },
        }),
    responses: { [endpoint.status]: success(endpoint), ...failures(endpoint) },
  };
}

function parametersOf(schema: Endpoint["params"], place: "path" | "query"): Json[] {
  if (schema === null) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
}

function success(endpoint: Endpoint): Json {
  if (endpoint.response === "none") return { description: "Done; no body." };
  if (endpoint.response === "zip") {
    return {
      description: "A zip file.",
      content: { "application/zip": { schema: { type: "string", format: "binary" } } },
    };
  }
  return {
    description: "Done.",
    content: { "application/json": { schema: schemaOf(endpoint.response, "output") } },
  };
}

/** One entry for each status, naming the codes behind it. */
function failures(endpoint: Endpoint): Record<string, Json> {
  const codes: readonly ErrorCode[] =
    endpoint.auth === "none" ? endpoint.errors : [...commonErrors, ...endpoint.errors];
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const { status, value } = errorCatalogue[code];
    byStatus.set(status, [
      ...(byStatus.get(status) ?? []),
      endpoint.errorShape === "flat" ? (value ?? code) : code,
    ]);
  }
  const schema = {
    $ref: `#/components/schemas/${endpoint.errorShape === "flat" ? "FlatError" : "NestedError"}`,
  };
  return Object.fromEntries(
    [...byStatus].map(([status, values]) => [
      String(status),
      { description: [...new Set(values)].join(" · "), content: { "application/json": { schema } } },
    ]),
  );
}

function schemaOf(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const sentence = { type: "string" };
const flatError = {
  type: "object",
  required: ["error", "message"],
  properties: { error: sentence, message: sentence },
};
const nestedError = {
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
};
