import type * as z from "zod/mini";
import type { Received } from "../../contract/define.ts";
import { brokenIn, type Path } from "./broken-values.ts";

/** One value of an answer that could not be read and was taken out. */
export interface Damage {
  /** Where it was. Indexes count in the data as it is now, except the last index of a removed list item. */
  readonly path: Path;
  /** `value`: the field is missing now. `item`: an entry of a list is missing now. */
  readonly kind: "value" | "item";
  /** The beginning of what came, as JSON, for a tooltip. */
  readonly preview: string;
}

/** What can be used of an answer. `undefined` data: its root has another type, nothing is usable. */
export type Receipt<T> =
  | { readonly data: Received<T>; readonly damage: readonly Damage[] }
  | { readonly data: undefined; readonly damage: readonly Damage[] };

const removed: unique symbol = Symbol("removed");
const passes = 4;

/**
 * Tolerant in: checks a parsed JSON body against the endpoint's schema and takes out only what is broken (a value of
 * another type), each with its path. Missing and null fields, unknown fields, unknown values of enums and texts or
 * numbers outside of limits stay as they came: the types say that anything may be missing. Never throws (C-01 to C-03).
 * The given value is not changed; what is healthy is the same object.
 */
export function receive<S extends z.ZodMiniType>(schema: S, json: unknown): Receipt<z.output<S>> {
  let data = json;
  const damage: Damage[] = [];
  // What sits behind a removed value can hide more; each pass removes all that it sees, so few are ever needed.
  for (let pass = 0; pass < passes; pass += 1) {
    const broken = brokenIn(schema, data);
    if (broken.length === 0) break;
    if (broken.some((path) => path.length === 0)) {
      return { data: undefined, damage: [{ path: [], kind: "value", preview: preview(data) }] };
    }
    data = without(data, broken, damage);
  }
  return { data: data as Received<z.output<S>>, damage };
}

/** A path as people write it: `runs[3].state`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? key : `${text}.${key}`),
    "",
  );
}

type Container = Record<string | number, unknown> | unknown[];

/** A copy of `root` without the values at `paths`; only containers on the way are copied. */
function without(root: unknown, paths: readonly Path[], damage: Damage[]): unknown {
  const copies = new Map<object, Container>();
  const lists = new Set<unknown[]>();
  const top = copyOf(root as object, copies);
  const taken: { path: Path; inList: boolean; value: unknown }[] = [];
  for (const path of paths) {
    const holder = holderOf(top, path, copies);
    const last = path.at(-1) ?? "";
    if (!holder || !Object.hasOwn(holder, last) || read(holder, last) === removed) continue;
    const inList = Array.isArray(holder);
    taken.push({ path, inList, value: read(holder, last) });
    if (Array.isArray(holder)) {
      holder[Number(last)] = removed;
      lists.add(holder);
    } else {
      delete holder[last];
    }
  }
  // Paths are worked out while the marks are still in place, so that indexes can be moved to where things are now.
  const removedBefore = counters(lists);
  for (const { path, inList, value } of taken) {
    damage.push({
      path: shifted(top, path, removedBefore),
      kind: inList ? "item" : "value",
      preview: preview(value),
    });
  }
  for (const list of lists) compact(list);
  return top;
}

/** The copied container of the last key; null where it was taken out already. */
function holderOf(top: Container, path: Path, copies: Map<object, Container>): Container | null {
  let holder = top;
  for (const key of path.slice(0, -1)) {
    const inner = read(holder, key);
    if (inner === null || typeof inner !== "object") return null;
    const copy = copyOf(inner, copies);
    write(holder, key, copy);
    holder = copy;
  }
  return holder;
}

function copyOf(value: object, copies: Map<object, Container>): Container {
  const known = copies.get(value);
  if (known) return known;
  const copy: Container = Array.isArray(value) ? value.slice() : { ...value };
  copies.set(value, copy);
  copies.set(copy, copy);
  return copy;
}

function read(holder: Container, key: string | number): unknown {
  return Object.hasOwn(holder, key) ? (holder as Record<string | number, unknown>)[key] : undefined;
}

function write(holder: Container, key: string | number, value: unknown): void {
  // Defined, not assigned: a key named `__proto__` must stay plain data.
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

/** For each list with removed entries: how many were removed before each index. */
function counters(lists: ReadonlySet<unknown[]>): ReadonlyMap<unknown, Uint32Array> {
  const counts = new Map<unknown, Uint32Array>();
  for (const list of lists) {
    const before = new Uint32Array(list.length + 1);
    list.forEach((item, i) => {
      before[i + 1] = (before[i] ?? 0) + (item === removed ? 1 : 0);
    });
    counts.set(list, before);
  }
  return counts;
}

function shifted(top: Container, path: Path, removedBefore: ReadonlyMap<unknown, Uint32Array>): Path {
  let holder: unknown = top;
  return path.map((key, depth) => {
    const here = holder;
    holder = here !== null && typeof here === "object" ? read(here as Container, key) : undefined;
    if (typeof key !== "number" || depth === path.length - 1) return key;
    return key - (removedBefore.get(here)?.[key] ?? 0);
  });
}

function compact(list: unknown[]): void {
  let kept = 0;
  for (const item of list) {
    if (item === removed) continue;
    list[kept] = item;
    kept += 1;
  }
  list.length = kept;
}

const previewLength = 120;

function preview(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, previewLength));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === "object")
    return `an object with ${Object.keys(value).length} fields`;
  return String(value);
}
