import { isJsonObject, type JsonObject, type JsonValue, ownField, textOf, toJsonValue } from "../json.ts";
import type { Requester } from "../limiter.ts";
import type { NodeType } from "../nodes/node.ts";
import { type Condition, isTemplate, parseCondition, parseTemplate, TemplateError } from "./template.ts";
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

/** A node inside of a node. */
export interface InnerNode {
  readonly type: NodeType;
  readonly config: { readonly type: string };
  readonly fields: Fields;
}

/** A node's config with its templates read: once, however often they are filled in. */
export interface Fields {
  readonly reads: readonly Read[];
  readonly faults: readonly Fault[];
  /** By the field that holds it. */
  readonly inner: ReadonlyMap<string, InnerNode>;
  /** Whether they come out the same as often as they are filled in with the same values, but for those of nodes inside. */
  readonly isStable: boolean;
  /**
   * Names that the templates here may use beyond nodes are removed from `reads`.
   * @throws TemplateError; the signal's reason
   */
  resolve(scope: JsonObject, requester: Requester): Promise<JsonObject>;
  /**
   * Whether a condition of a list holds.
   * @param list the field
   * @throws TemplateError; the signal's reason
   */
  holds(list: string, index: number, scope: JsonObject, requester: Requester): Promise<boolean>;
}

/** A promise where something may be filled in. */
type Resolve = (scope: JsonObject, requester: Requester) => JsonValue | Promise<JsonValue>;

/** One template is read in each step. */
type Reading<T> = Generator<undefined, T>;

/**
 * Reads every template of a node's config.
 * @param findType for nodes inside nodes
 */
export function* readFields(
  config: { readonly type: string },
  type: NodeType,
  findType: (name: string) => NodeType | undefined,
): Reading<Fields> {
  const reads: Read[] = [];
  const faults: Fault[] = [];
  const resolvers = new Map<string, Resolve>();
  const inner = new Map<string, InnerNode>();
  const conditions = new Map<string, readonly (Condition | null)[]>();
  let isStable = true;
  for (const [name, field] of Object.entries(config)) {
    const value = toJsonValue(field);
    const locals = type.locals[name];
    const isLiteral = type.literals.includes(name);
    if (!isLiteral && !locals && !isStableValue(value)) isStable = false;
    if (isLiteral) resolvers.set(name, () => value);
    else if (type.conditions.includes(name))
      conditions.set(name, yield* readConditions(value, [name], reads, faults));
    else if (locals) {
      const read = yield* readInner(value, name, locals, findType, reads, faults);
      if (read) inner.set(name, read);
    } else resolvers.set(name, yield* compileValue(value, [name], reads, faults));
  }
  return {
    reads,
    faults,
    inner,
    isStable,
    resolve: (scope, requester) => resolveEach([...resolvers], scope, requester),
    holds: async (list, index, scope, requester) =>
      (await conditions.get(list)?.[index]?.holds(scope, requester)) ?? false,
  };
}

/** Filters of templates that read the clock or throw dice. */
const unstableWords = /\|\s*(date\w*|sample|shuffle)\b/;

function isStableValue(value: JsonValue): boolean {
  if (typeof value === "string") return !unstableWords.test(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isStableValue);
}

function* compileValue(value: JsonValue, path: Path, reads: Read[], faults: Fault[]): Reading<Resolve> {
  if (typeof value === "string") {
    if (!isTemplate(value)) return () => value;
    yield;
    const template = attempt(path, faults, () => parseTemplate(value));
    if (!template) return () => null;
    for (const reference of template.references) reads.push({ path, reference });
    return (scope, requester) => template.resolve(scope, requester);
  }
  if (Array.isArray(value)) {
    const parts: Resolve[] = [];
    for (const [index, item] of value.entries())
      parts.push(yield* compileValue(item, [...path, index], reads, faults));
    return async (scope, requester) => {
      const items: JsonValue[] = [];
      for (const part of parts) items.push(await part(scope, requester));
      return items;
    };
  }
  if (isJsonObject(value)) {
    const parts: [string, Resolve][] = [];
    for (const [key, item] of Object.entries(value))
      parts.push([key, yield* compileValue(item, [...path, key], reads, faults)]);
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
function* readConditions(
  value: JsonValue,
  path: Path,
  reads: Read[],
  faults: Fault[],
): Reading<(Condition | null)[]> {
  const conditions: (Condition | null)[] = [];
  for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
    const at = [...path, index, "if"];
    yield;
    const condition = attempt(at, faults, () => parseCondition(textOf(ownField(item, "if") ?? null)));
    conditions.push(condition);
    for (const reference of condition?.references ?? []) reads.push({ path: at, reference });
  }
  return conditions;
}

function* readInner(
  value: JsonValue,
  name: string,
  locals: readonly string[],
  findType: (name: string) => NodeType | undefined,
  reads: Read[],
  faults: Fault[],
): Reading<InnerNode | null> {
  const type = isJsonObject(value) ? findType(String(value.type)) : undefined;
  if (!isJsonObject(value) || !type) return null;
  const config = { ...value, type: type.type };
  const fields = yield* readFields(config, type, findType);
  for (const fault of fields.faults) faults.push({ ...fault, path: [name, ...fault.path] });
  for (const read of fields.reads) {
    if (!locals.includes(read.reference[0])) reads.push({ ...read, path: [name, ...read.path] });
  }
  return { type, config, fields };
}

function attempt<T>(path: Path, faults: Fault[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    faults.push({ path, message: error.message });
    return null;
  }
}
