import * as z from "zod/mini";
import type { Endpoint } from "../../contract/define.ts";
import { commonErrors, type ErrorCode, errorCatalogue } from "../../contract/errors.ts";
import { invalidKey } from "../credentials/authenticate.ts";
import { type Json, namedSchemas, requestSchema, responseSchema } from "./openapi-schemas.ts";
import { isQueryKey, securityOf, securitySchemes } from "./openapi-security.ts";

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
    paths,
    components: { securitySchemes, schemas: namedSchemas, headers: namedHeaders },
  };
}

function operation(endpoint: Endpoint): Json {
  const parameters = parametersOf(endpoint);
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    description: `${endpoint.section} (${endpoint.tier})`,
    tags: [endpoint.tier],
    ...(endpoint.base === "/api/v1" ? {} : { servers: [{ url: endpoint.base || "/" }] }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body === null ? {} : { requestBody: requestBody(endpoint.body) }),
    responses: { ...successes(endpoint), ...failures(endpoint) },
  };
}

function parametersOf(endpoint: Endpoint): Json[] {
  const named = [
    ...fieldsOf(endpoint.params, "path"),
    ...fieldsOf(endpoint.query, "query").filter(({ name }) => !isQueryKey(endpoint, name)),
    ...fieldsOf(endpoint.headers, "header"),
  ];
  if (!endpoint.conditional) return named;
  const description = "The `ETag` of an earlier answer: the same answer again is a 304 without a body.";
  return [
    ...named,
    { name: "If-None-Match", in: "header", required: false, description, schema: { type: "string" } },
  ];
}

type Parameter = Json & { readonly name: string };

function fieldsOf(schema: Endpoint["params"], place: "path" | "query" | "header"): Parameter[] {
  if (schema === null) return [];
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: !z.safeParse(field, undefined).success,
    // Text on the wire, whatever it is: what it means tells more.
    schema: responseSchema(field),
  }));
}

function requestBody(body: NonNullable<Endpoint["body"]>): Json {
  // A body that is not sent is read as {}.
  const required = !body.safeParse({}).success;
  return { required, content: { "application/json": { schema: requestSchema(body) } } };
}

function successes({ response, status, conditional, setsCookie }: Endpoint): Json {
  const headers = {
    ...answerHeaders,
    ...(conditional ? { ETag: headerOf("ETag") } : {}),
    ...(setsCookie ? { "Set-Cookie": headerOf("Set-Cookie") } : {}),
  };
  const unchanged = {
    304: { description: "The answer is still the one that `If-None-Match` names; no body.", headers },
  };
  return {
    [status]: { ...success(response), headers },
    ...(conditional ? unchanged : {}),
  };
}

function success(response: Endpoint["response"]): Json {
  if (response === "none") return { description: "Done; no body." };
  if (response === "zip") {
    const schema = { type: "string", format: "binary" };
    return { description: "A zip file.", content: { "application/zip": { schema } } };
  }
  if (response === "jsonl") {
    return {
      description: "JSON Lines: one object in each line.",
      content: { "application/x-ndjson": { schema: { type: "string" } } },
    };
  }
  return { description: "Done.", content: { "application/json": { schema: responseSchema(response) } } };
}

/** One entry for each status, naming the codes behind it. */
function failures(endpoint: Endpoint): Record<string, Json> {
  const shape = endpoint.errorShape === "flat" ? "FlatError" : "NestedError";
  const byStatus = new Map<number, string[]>();
  for (const code of errorsOf(endpoint)) {
    const { status, value } = errorCatalogue[code];
    const values = byStatus.get(status) ?? [];
    byStatus.set(status, [...values, shape === "FlatError" ? (value ?? code) : code]);
  }
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${shape}` } } };
  return Object.fromEntries(
    [...byStatus].map(([status, values]) => {
      const waits = status === 429 || status === 503 ? { "Retry-After": headerOf("Retry-After") } : {};
      const description = [...new Set(values)].join(" · ");
      return [String(status), { description, headers: { ...answerHeaders, ...waits }, content }];
    }),
  );
}

function errorsOf(endpoint: Endpoint): readonly ErrorCode[] {
  if (endpoint.auth === "none") return endpoint.errors;
  const never: ErrorCode[] = invalidKey(endpoint) === "invalid_credentials" ? [] : ["invalid_credentials"];
  if (endpoint.body === null) never.push("invalid_body", "payload_too_large");
  return [...commonErrors.filter((code) => !never.includes(code)), ...endpoint.errors];
}

const namedHeaders = {
  "x-request-id": { description: "Leads to this request in the log.", schema: { type: "string" } },
  ETag: { description: "Names this answer, for `If-None-Match`.", schema: { type: "string" } },
  "Set-Cookie": { description: "Ties what follows to this browser.", schema: { type: "string" } },
  "Retry-After": { description: "Seconds to wait before another try.", schema: { type: "integer" } },
};
const headerOf = (name: keyof typeof namedHeaders) => ({ $ref: `#/components/headers/${name}` });
const answerHeaders = { "x-request-id": headerOf("x-request-id") };
