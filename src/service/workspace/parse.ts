import { z } from "zod";
import type { Path } from "../pipelines/fields.ts";
import { didYouMean } from "../pipelines/suggest.ts";

/** What a schema says is wrong, in words for the author of a file. */
export interface ParseFault {
  readonly path: Path;
  readonly message: string;
}

/** Parses a value of a file. */
export function parseValue<S extends z.ZodType>(
  schema: S,
  value: unknown,
):
  | { readonly data: z.output<S>; readonly faults: null }
  | { readonly data: null; readonly faults: ParseFault[] } {
  const result = schema.safeParse(value);
  if (result.success) return { data: result.data, faults: null };
  return { data: null, faults: result.error.issues.flatMap((issue) => faultsOf(schema, value, issue)) };
}

function faultsOf(schema: z.ZodType, value: unknown, issue: z.core.$ZodIssue): ParseFault[] {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  if (issue.code === "unrecognized_keys") {
    const known = fieldsAt(schema, path);
    return issue.keys.map((key) => {
      const list = known.length > 0 ? `; known are ${known.join(", ")}` : "";
      return { path: [...path, key], message: `unknown field "${key}"${didYouMean(key, known) || list}` };
    });
  }
  if (issue.code === "invalid_key") return [{ path, message: issue.issues[0]?.message ?? issue.message }];
  if (valueAt(value, path) === undefined) return [{ path, message: "is missing" }];
  return [{ path, message: messageOf(issue) }];
}

function messageOf(issue: z.core.$ZodIssue): string {
  const plain = (message: string) => message.replace(/^Invalid input: /, "");
  if (issue.code !== "invalid_union") return plain(issue.message);
  const ways = issue.errors.flatMap(([first]) => (first ? [plain(first.message)] : []));
  return ways.length > 0 ? [...new Set(ways)].join("; or ") : plain(issue.message);
}

function valueAt(value: unknown, path: Path): unknown {
  let at: unknown = value;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
}

/** The field names of the object schema at a path; empty where there is none. */
function fieldsAt(schema: z.core.$ZodType, path: Path): string[] {
  let at: z.core.$ZodType | undefined = unwrap(schema);
  for (const part of path) {
    if (at instanceof z.ZodObject) at = at.shape[String(part)];
    else if (at instanceof z.ZodArray) at = at.element;
    else if (at instanceof z.ZodRecord) at = at.valueType;
    else return [];
    at = at && unwrap(at);
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    inner = inner.def.innerType;
  }
  return inner;
}
