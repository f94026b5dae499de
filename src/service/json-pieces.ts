import { setImmediate } from "node:timers/promises";
import type { JsonValue } from "./json.ts";

/** Characters of one piece, about. */
const pieceLength = 65_536;

/** A list or an object that is being written. */
interface Open {
  readonly values: readonly (JsonValue | undefined)[];
  /** Of an object: the names of these values. */
  readonly names: readonly string[] | null;
  at: number;
  isEmpty: boolean;
}

/**
 * What `JSON.stringify` writes of a value, in pieces of about 65,536 characters, of which each takes a moment to write. The same
 * value has the same pieces each time, and none ends within a pair of surrogates.
 */
export function* jsonPieces(root: JsonValue): Generator<string> {
  const open: Open[] = [];
  let text = "";
  for (let value: JsonValue | undefined = root; ; ) {
    if (typeof value === "string" && value.length > pieceLength) {
      yield `${text}"`;
      for (const part of cutText(value)) yield JSON.stringify(part).slice(1, -1);
      text = '"';
    } else if (typeof value !== "object" || value === null) text += JSON.stringify(value ?? null);
    else {
      const names = Array.isArray(value) ? null : Object.keys(value);
      open.push({ values: Array.isArray(value) ? value : Object.values(value), names, at: 0, isEmpty: true });
      text += names === null ? "[" : "{";
    }
    const next = goOn(open);
    text += next.text;
    if (text.length >= pieceLength || next.isEnd) {
      yield text;
      text = "";
    }
    if (next.isEnd) return;
    value = next.value;
  }
}

/** What stands before the next value: what ends before it, a comma, its name. */
function goOn(open: Open[]): { readonly text: string; readonly value?: JsonValue; readonly isEnd: boolean } {
  let text = "";
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    // As `JSON.stringify` does, which leaves out what JSON cannot say.
    while (last.names !== null && last.at < last.names.length && last.values[last.at] === undefined)
      last.at++;
    if (last.at < last.values.length) {
      const name = last.names?.[last.at];
      const value = last.values[last.at++] ?? null;
      text += `${last.isEmpty ? "" : ","}${name === undefined ? "" : `${JSON.stringify(name)}:`}`;
      last.isEmpty = false;
      return { text, value, isEnd: false };
    }
    text += last.names === null ? "]" : "}";
    open.pop();
  }
  return { text, isEnd: true };
}

/** A text in pieces of about 65,536 characters, of which none ends within a pair of surrogates. */
export function* cutText(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + pieceLength;
    const isPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    const next = isPair ? end + 1 : end;
    yield text.slice(at, next);
    at = next;
  }
}

/** The same with pauses for all others. */
export async function* inSteps(value: JsonValue): AsyncGenerator<string> {
  for (const piece of jsonPieces(value)) {
    yield piece;
    await setImmediate();
  }
}

/** The length of a value's JSON text in characters, and its beginning of at most so many. */
export async function measureJson(
  value: JsonValue,
  most: number,
): Promise<{ readonly size: number; readonly beginning: string }> {
  let size = 0;
  let beginning = "";
  for await (const piece of inSteps(value)) {
    size += piece.length;
    if (beginning.length < most) beginning += piece;
  }
  return { size, beginning: beginning.slice(0, most) };
}

/** The beginning of a value's JSON text, without writing the rest. @param most characters */
export function beginningOf(value: JsonValue, most: number): string {
  let text = "";
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length >= most) break;
  }
  return text.slice(0, most);
}
