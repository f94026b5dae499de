import type * as z from "zod/mini";
import type { Endpoint } from "./define.ts";
import { type ErrorCode, parameterError } from "./errors.ts";

/** One thing wrong with a value: where, and what in words. Made from a schema's issue, which has no words of its own. */
export interface Problem {
  /** `link.mode`, `share.0.email`; empty for the value itself. */
  readonly path: string;
  /** The rest of a sentence that begins with the path: `must be a string`. */
  readonly problem: string;
  /** Nothing was there: absent, null or the empty string. */
  readonly missing: boolean;
}

type Issue = z.core.$ZodIssue;

const kinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

/**
 * Puts the first issue of a failed parse into words.
 * @param issues of the failed parse, at least one
 * @param value what was parsed, to tell a missing field from a wrong one
 */
export function firstProblem(issues: readonly Issue[], value: unknown): Problem {
  const issue = issues[0];
  if (!issue) return { path: "", problem: "is not valid", missing: false };
  const found = issue.path.reduce<unknown>(step, value);
  const missing = found === undefined || found === null || found === "";
  return {
    path: issue.path.map(String).join("."),
    problem: found === undefined ? "is missing" : wordsOf(issue),
    missing,
  };
}

function step(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Record<PropertyKey, unknown>)[key];
}

function wordsOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_union":
      return issue.discriminator ? `has an unknown ${issue.discriminator}` : "has the wrong type";
    case "too_small":
      return own(issue) ?? boundOf(issue.origin, "least", issue.minimum);
    case "too_big":
      return own(issue) ?? boundOf(issue.origin, "most", issue.maximum);
    default:
      return own(issue) ?? "is not valid";
  }
}

function boundOf(origin: string, side: "least" | "most", bound: number | bigint): string {
  if (origin === "string") return `must have at ${side} ${bound} characters`;
  if (origin === "array") return `must have at ${side} ${bound} items`;
  return `must be at ${side} ${bound}`;
}

/** The schema's own words, where it has them: without a locale the library says only "Invalid input". */
function own(issue: Issue): string | null {
  return issue.message && !issue.message.startsWith("Invalid input") ? issue.message : null;
}

/** What of a request has a schema. */
export type RequestPart = "params" | "query" | "headers" | "body";

/** What to answer a request that did not parse. */
export interface RequestError {
  readonly code: ErrorCode;
  readonly message: string;
  /** Absent where the whole part is wrong. */
  readonly param?: string;
}

/**
 * The error for a part of a request that did not parse: the interface's own code where it names one (§7.1), else
 * `invalid_body`, or the code of the parameter. The message names the field.
 * @param value what was parsed
 */
export function requestError(
  endpoint: Pick<Endpoint, "missing">,
  part: RequestPart,
  issues: readonly Issue[],
  value: unknown,
): RequestError {
  const { path, problem, missing } = firstProblem(issues, value);
  if (missing && Object.hasOwn(endpoint.missing, path)) {
    const code = endpoint.missing[path];
    if (code) return { code, param: path, message: `${path} is required.` };
  }
  const name = path.split(".")[0] ?? "";
  const code = part === "body" ? "invalid_body" : parameterError(name);
  if (path === "") return { code, message: `The ${part} ${problem}.` };
  return { code, param: path, message: `${path} ${problem}.` };
}
