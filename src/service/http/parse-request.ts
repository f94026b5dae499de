import type * as z from "zod/mini";
import type { Endpoint } from "../../contract/define.ts";
import { type ErrorCode, parameterError } from "../../contract/errors.ts";
import { ServiceError } from "../service-error.ts";

type Part = "params" | "query" | "body";

/**
 * One part of a request through the endpoint's schema; undefined where the endpoint has no such part.
 * @throws ServiceError of the first fault, naming the field: the endpoint's own code for a missing field (§7.1), else
 * `invalid_body`, `invalid_page_size`, `invalid_sort`, `invalid_cursor` or `invalid_parameter` (400)
 */
export function parsePart(endpoint: Endpoint, part: Part, value: unknown): unknown {
  const schema: z.ZodMiniType | null = endpoint[part];
  if (schema === null) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw firstFault(endpoint, part, value, result.error.issues);
}

function firstFault(
  endpoint: Endpoint,
  part: Part,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): ServiceError {
  if (isObject(value) && part !== "params") {
    // In the order of the interface's own table, whatever the order of the schema.
    for (const [field, code] of Object.entries(endpoint.missing)) {
      if ((value[field] ?? "") === "" && issues.some(({ path }) => path[0] === field)) {
        return new ServiceError(code, { param: field });
      }
    }
  }
  const issue = issues[0];
  const path = (issue?.path ?? []).map(String);
  const field = path.join(".");
  if (field === "") return new ServiceError("invalid_body", { message: "The body must be a JSON object." });
  const missing = isMissing(value, path);
  const what = part === "body" ? `The field ${field}` : `The parameter ${field}`;
  return new ServiceError(codeFor(endpoint, part, path[0] ?? field), {
    message: missing ? `${what} is missing.` : `${what} is not valid: ${issue?.message ?? "unknown value"}`,
    param: field,
  });
}

function codeFor(endpoint: Endpoint, part: Part, name: string): ErrorCode {
  if (part === "body")
    return endpoint.errors.includes("invalid_access_change") ? "invalid_access_change" : "invalid_body";
  const code = parameterError(name);
  return endpoint.errors.includes(code) ? code : "invalid_parameter";
}

function isMissing(value: unknown, path: readonly string[]): boolean {
  let at = value;
  for (const key of path) {
    if (!isObject(at)) return false;
    at = at[key];
  }
  return at === undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
