import { isJsonObject, type JsonObject, type JsonValue, ownField, textOf, toJson } from "../json.ts";
import type { Requester } from "../limiter.ts";
import type { NodeType } from "../nodes/node.ts";
import { isTemplate, parseCondition, parseTemplate, TemplateError } from "./template.ts";
import type { Reference } from "./template-references.ts";

/** Where in a definition, from the field of a node on. */
export type Path = readonly (string | number)[];

/** Something that is wrong with a flow, for its author. */
export interface Fault {
  readonly path: Path;
  readonly message: string;
}

/** One place of a node that reads another node's field. */
interface Read {
  readonly path: Path;
  readonly reference: Reference;
}

/** A node's config with its templates read. */
export interface Fields {
  readonly reads: readonly Read[];
  readonly faults: readonly Fault[];
  /**
   * Names that the templates here may use beyond nodes are removed from `reads`.
   * @throws TemplateError; the signal's reason
   */
  resolve(scope: JsonObject, requester: Requester): Promise<JsonObject>;
}

/** A promise where something may be filled in. */
type Resolve = (scope: JsonObject, requester: Requester) => JsonValue | Promise<JsonValue>;

/**
 * Reads every template of a node's config.
 * @param findType for nodes inside nodes
 */
export function readFields(
  config: { readonly type: string },
  type: NodeType,
  findType: (name: string) => NodeType | undefined,
): Fields {
  const reads: Read[] = [];
  const faults: Fault[] = [];
  const resolvers = new Map<string, Resolve>();
  for (const [name, field] of Object.entries(config)) {
    const value = toJson(field);
    const locals = type.locals[name];
    if (type.literals.includes(name)) resolvers.set(name, () => value);
    else if (type.conditions.includes(name)) readConditions(value, [name], reads, faults);
    else if (locals) readInner(value, name, locals, findType, reads, faults);
    else resolvers.set(name, compileValue(value, [name], reads, faults));
  }
  return {
    reads,
    faults,
    resolve: (scope, requester) => resolveEach([...resolvers], scope, requester),
  };
}

function compileValue(value: JsonValue, path: Path, reads: Read[], faults: Fault[]): Resolve {
  if (typeof value === "string") {
    if (!isTemplate(value)) return () => value;
    return attempt(path, faults, () => {
      const template = parseTemplate(value);
      reads.push(...template.references.map((reference) => ({ path, reference })));
      return (scope, requester) => template.resolve(scope, requester);
    });
  }
  if (Array.isArray(value)) {
    const parts = value.map((item, index) => compileValue(item, [...path, index], reads, faults));
    return async (scope, requester) => {
      const items: JsonValue[] = [];
      for (const part of parts) items.push(await part(scope, requester));
      return items;
    };
  }
  if (isJsonObject(value)) {
    const parts = Object.entries(value).map(([key, item]) => {
      return [key, compileValue(item, [...path, key], reads, faults)] as const;
    });
    return (scope, requester) => resolveEach(parts, scope, requester);
  }
  return () => value;
}

async function resolveEach(
  parts: readonly (readonly [string, Resolve])[],
  scope: JsonObject,
  requester: Requester,
): Promise<JsonObject> {
  const values: [string, JsonValue][] = [];
  for (const [name, resolve] of parts) values.push([name, await resolve(scope, requester)]);
  return Object.fromEntries(values);
}

/** A list of objects whose `if` is a condition. */
function readConditions(value: JsonValue, path: Path, reads: Read[], faults: Fault[]): void {
  for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
    const at = [...path, index, "if"];
    attempt(at, faults, () => {
      const { references } = parseCondition(textOf(ownField(item, "if") ?? null));
      reads.push(...references.map((reference) => ({ path: at, reference })));
      return () => null;
    });
  }
}

function readInner(
  value: JsonValue,
  name: string,
  locals: readonly string[],
  findType: (name: string) => NodeType | undefined,
  reads: Read[],
  faults: Fault[],
): void {
  const innerType = isJsonObject(value) ? findType(String(value.type)) : undefined;
  if (!isJsonObject(value) || !innerType) return;
  const inner = readFields({ ...value, type: innerType.type }, innerType, findType);
  faults.push(...inner.faults.map((fault) => ({ ...fault, path: [name, ...fault.path] })));
  for (const read of inner.reads) {
    if (!locals.includes(read.reference[0])) reads.push({ ...read, path: [name, ...read.path] });
  }
}

function attempt(path: Path, faults: Fault[], read: () => Resolve): Resolve {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    faults.push({ path, message: error.message });
    return () => null;
  }
}
