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
  return { data: null, faults: result.error.issues.flatMap((issue) => faultsOf(schema, issue)) };
}

function faultsOf(schema: z.ZodType, issue: z.core.$ZodIssue): ParseFault[] {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  if (issue.code === "unrecognized_keys") {
    const known = fieldsAt(schema, path);
    return issue.keys.map((key) => {
      const list = known.length > 0 ? `; known are ${known.join(", ")}` : "";
      return { path: [...path, key], message: `unknown field "${key}"${didYouMean(key, known) || list}` };
    });
  }
  if (issue.code === "invalid_key") return [{ path, message: issue.issues[0]?.message ?? issue.message }];
  if (issue.code === "invalid_type" && issue.input === undefined) return [{ path, message: "is missing" }];
  const message = issue.message.replace(/^Invalid input: /, "");
  return [{ path, message }];
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
