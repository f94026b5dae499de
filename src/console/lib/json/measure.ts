import { counted, grouped } from "../words.ts";

/** How big a JSON value is, as far as it was looked at. */
export interface Measure {
  /** Values inside, with itself. */
  readonly values: number;
  /** Characters of keys and texts, about as many as its JSON has. */
  readonly characters: number;
  /** False: there is more than was counted. */
  readonly isWhole: boolean;
}

/** Counts what is in a value without recursion and without writing it out; stops at `most` values (about 2 ms). */
export function measure(value: unknown, most = 20_000): Measure {
  const open: unknown[] = [value];
  let values = 0;
  let characters = 0;
  while (open.length > 0) {
    if (values >= most) return { values, characters, isWhole: false };
    const next = open.pop();
    values += 1;
    if (typeof next === "string") characters += next.length + 2;
    else if (Array.isArray(next)) {
      characters += next.length + 1;
      if (next.length > most) return { values: next.length, characters: next.length * 8, isWhole: false };
      for (const inner of next) open.push(inner);
    } else if (next !== null && typeof next === "object") {
      for (const key in next) {
        if (!Object.hasOwn(next, key)) continue;
        characters += key.length + 4;
        open.push((next as Record<string, unknown>)[key]);
        if (open.length > most) return { values: open.length, characters: characters * 2, isWhole: false };
      }
      characters += 2;
    } else characters += String(next).length + 1;
  }
  return { values, characters, isWhole: true };
}

/** A value in a few words: "3 items", "5 fields", "12 lines"; short ones themselves. */
export function kindWord(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") {
    if (value === "") return "empty";
    const lines = value.length < 100_000 ? value.split("\n").length : 0;
    return lines > 1 ? `${grouped(lines)} lines` : `${grouped(value.length)} characters`;
  }
  if (Array.isArray(value)) return counted(value.length, "item");
  if (value !== null && typeof value === "object") return counted(Object.keys(value).length, "field");
  return String(value);
}

/** The beginning of a value on one line, for a folded row: `path: /claims, limit: 5`. Looks at a few values only. */
export function preview(value: unknown, length = 120): string {
  const words: string[] = [];
  const add = (inner: unknown, key?: string) => {
    const word =
      typeof inner === "string"
        ? inner.slice(0, length).replaceAll(/\s+/g, " ")
        : inner !== null && typeof inner === "object"
          ? kindWord(inner)
          : String(inner);
    words.push(key === undefined ? word : `${key}: ${word}`);
  };
  if (Array.isArray(value)) for (const inner of value.slice(0, 6)) add(inner);
  else if (value !== null && typeof value === "object") {
    for (const key of Object.keys(value).slice(0, 6)) add((value as Record<string, unknown>)[key], key);
  } else if (value !== undefined) add(value);
  const line = words.join(", ");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

type Frame =
  | { readonly kind: "list"; readonly list: readonly unknown[]; at: number }
  | {
      readonly kind: "record";
      readonly record: Readonly<Record<string, unknown>>;
      readonly keys: readonly string[];
      at: number;
    };

/**
 * Writes a value as JSON with two spaces, piece by piece and without recursion, so that the writing can be interrupted
 * and a value 10,000 levels deep can be written at all.
 */
function* jsonPieces(value: unknown): Generator<string> {
  const stack: Frame[] = [];
  // Spaces stop growing, or a deep value would be nothing but spaces.
  const newLine = () => `\n${"  ".repeat(Math.min(stack.length, 60))}`;
  const open = (inner: unknown): string => {
    if (Array.isArray(inner)) {
      if (inner.length === 0) return "[]";
      stack.push({ kind: "list", list: inner, at: 0 });
      return "[";
    }
    if (inner !== null && typeof inner === "object") {
      const record = inner as Readonly<Record<string, unknown>>;
      const keys = Object.keys(record);
      if (keys.length === 0) return "{}";
      stack.push({ kind: "record", record, keys, at: 0 });
      return "{";
    }
    return JSON.stringify(inner) ?? "null";
  };
  yield open(value);
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const length = top.kind === "list" ? top.list.length : top.keys.length;
    if (top.at === length) {
      stack.pop();
      yield `${newLine()}${top.kind === "list" ? "]" : "}"}`;
      continue;
    }
    const comma = top.at === 0 ? "" : ",";
    const line = newLine();
    if (top.kind === "list") {
      const inner = top.list[top.at++];
      yield `${comma}${line}${open(inner)}`;
    } else {
      const key = top.keys[top.at++] ?? "";
      yield `${comma}${line}${JSON.stringify(key)}: ${open(top.record[key])}`;
    }
  }
}

/** The whole JSON of a small value, at most `most` characters of a bigger one. */
export function jsonStart(value: unknown, most: number): string {
  let text = "";
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length > most) return text.slice(0, most);
  }
  return text;
}

const sliceMs = 12;

/** The whole JSON of a value of any size, written in slices so that the page stays usable. */
export async function writeJson(value: unknown): Promise<string[]> {
  const parts: string[] = [];
  let buffer = "";
  let until = performance.now() + sliceMs;
  let count = 0;
  for (const piece of jsonPieces(value)) {
    buffer += piece;
    count += 1;
    if (count % 64 !== 0 || performance.now() < until) continue;
    parts.push(buffer);
    buffer = "";
    await new Promise((next) => setTimeout(next, 0));
    until = performance.now() + sliceMs;
  }
  parts.push(buffer);
  return parts;
}
