import { ServiceError } from "../service-error.ts";
import { isStorable } from "./text.ts";

/** Deeper or larger JSON is refused before it is built, in one pass over the text. */
const limits = { depth: 100, values: 200_000, key: 4096 };

const invalid = (message: string, param?: string) =>
  new ServiceError("invalid_body", { message, ...(param === undefined ? {} : { param }) });

/**
 * Parses a body's text into plain data that the database can keep: keys such as `__proto__` are own keys and nothing more.
 * @param text "" is read as `{}`, so that a missing body fails by the field that it lacks
 * @throws ServiceError `invalid_body` (400) naming what is wrong: no JSON, too deep, too many values, a key twice, a
 * number too large, NUL or a broken surrogate pair in a string (with the field)
 */
export function parseJson(text: string): unknown {
  if (text === "") return {};
  const members = scan(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid("The body is not valid JSON.");
  }
  if (inspect(value) !== members) throw invalid("The body has an object with the same key twice.");
  return value;
}

/** @returns how many members the objects of this text have, a key that comes twice counted twice */
function scan(text: string): number {
  let depth = 0;
  let values = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === 0x22) {
      at = endOfString(text, at);
      if (at === -1) throw invalid("The body is not valid JSON.");
    } else if (character === 0x7b || character === 0x5b) {
      if (++depth > limits.depth) throw invalid(`The body is nested deeper than ${limits.depth} levels.`);
    } else if (character === 0x7d || character === 0x5d) depth--;
    else if (character === 0x3a) members++;
    else if (character === 0x2c && ++values > limits.values) {
      throw invalid(`The body has more than ${limits.values} values.`);
    }
  }
  return members;
}

/** @returns the position of the closing quote, -1 without one */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

/** Where a value lies, kept as a chain: only an error ever spells it out. */
type Place = { readonly key: string; readonly parent: Place | null } | null;

/** Walks without recursion. @returns how many members the objects of this value have */
function inspect(root: unknown): number {
  let members = 0;
  const open: { value: unknown; place: Place }[] = [{ value: root, place: null }];
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, place } = item;
    if (typeof value === "string") checkText(value, place);
    else if (typeof value === "number" && !Number.isFinite(value)) {
      const path = pathOf(place);
      throw invalid(`${shown(path)} holds a number that is too large.`, path);
    } else if (typeof value === "object" && value !== null) {
      const isArray = Array.isArray(value);
      for (const [key, child] of Object.entries(value)) {
        if (!isArray) {
          members++;
          if (key.length > limits.key) throw invalid(`A key is longer than ${limits.key} characters.`);
          checkText(key, place);
        }
        open.push({ value: child, place: { key, parent: place } });
      }
    }
  }
  return members;
}

function checkText(text: string, place: Place): void {
  if (!isStorable(text)) {
    const path = pathOf(place);
    const what = "NUL or half of a surrogate pair, which cannot be kept.";
    throw invalid(`${shown(path)} holds ${what}`, path);
  }
}

/** A place in a sentence. */
const shown = (path: string) => (path === "" || path.length > 200 ? "The body" : path);

function pathOf(place: Place): string {
  const keys: string[] = [];
  for (let at = place; at; at = at.parent) keys.unshift(isStorable(at.key) ? at.key : "?");
  return keys.join(".");
}
