import * as z from "zod/mini";

/** Where a value of an answer is. */
export type Path = readonly (string | number)[];

type Issue = z.core.$ZodIssue;
type RawIssue = { readonly code: string; readonly path: PropertyKey[]; readonly input?: unknown };

/**
 * Where a parsed JSON body has values of another type than the schema says. Missing and null fields, unknown fields, unknown
 * values of enums and texts or numbers outside of limits are none: the types say that anything may be missing.
 */
export function brokenIn(schema: z.ZodMiniType, data: unknown): Path[] {
  const parsed = z.safeParse(schema, data);
  const found: Path[] = [];
  if (!parsed.success) for (const issue of parsed.error.issues) collect(issue, [], data, found);
  return found;
}

function collect(issue: Issue, base: Path, root: unknown, found: Path[]): void {
  const path = [...base, ...(issue as RawIssue).path.map(plainKey)];
  const value = valueAt(root, path);
  // Absent and null are lived with everywhere but at the root and as an entry of a list.
  if (value == null && path.length > 0 && !(typeof path.at(-1) === "number" && value === null)) return;
  switch (issue.code) {
    case "invalid_union": {
      // No branch has its tag: a kind that we do not know yet, shown as it came.
      if (issue.errors.length === 0 && (typeof value === "string" || typeof value === "object")) return;
      const branch = mildest(issue.errors);
      if (branch) for (const inner of branch) collect(inner, path, root, found);
      else found.push(path);
      return;
    }
    case "invalid_type":
    case "invalid_key":
    case "invalid_element":
      found.push(path);
      return;
    case "invalid_value":
      // Another word than the known ones is kept; an object where a word belongs is not.
      if (!issue.values.some((known) => typeof known === typeof value)) found.push(path);
      return;
    default:
      // Too long, unexpected keys, another format: a person can read it as it came.
      return;
  }
}

/** The branch of a union that the value most likely meant: its own type fits, and the fewest fields are broken. */
function mildest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const fitting = branches.filter(
    (branch) => branch.length > 0 && branch.every((issue) => issue.path.length > 0),
  );
  return fitting.sort((a, b) => a.length - b.length)[0];
}

function plainKey(key: PropertyKey): string | number {
  return typeof key === "symbol" ? String(key) : key;
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

/** Whether what was asked for, alone in its envelope as in `{agent: …}`, is not in it: then there is nothing to show. */
export function isHollow(schema: z.ZodMiniType, data: unknown): boolean {
  const { shape = {} } = schema as Partial<z.ZodMiniObject>;
  const [only = "", ...others] = Object.keys(shape);
  return others.length === 0 && shape[only]?._zod.def.type === "object" && valueAt(data, [only]) == null;
}
