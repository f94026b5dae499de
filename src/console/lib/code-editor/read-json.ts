/** Where a text stops being JSON. Line and column count from 1. */
export interface JsonProblem {
  /** What was found there: "trailing comma", "unexpected end". */
  readonly what: string;
  readonly line: number;
  readonly column: number;
}

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: JsonProblem };

/**
 * Reads a text as JSON while it is typed.
 * @returns its value, or the first place at which it is none. Never throws, whatever the text or its depth.
 */
export function readJson(text: string): JsonReading {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    const { what, at } = findProblem(text);
    const before = text.slice(0, at).split("\n");
    return { ok: false, problem: { what, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } };
  }
}

/** The same, where only an object will do (§4.14: `metadata` and what is in `resources` and `tools`). */
export function readJsonObject(text: string): JsonReading {
  const read = readJson(text);
  if (!read.ok || isObject(read.value)) return read;
  return { ok: false, problem: { what: "expected an object, { … }", line: 1, column: 1 } };
}

/** The same, where only a list of objects will do. */
export function readJsonObjects(text: string): JsonReading {
  const read = readJson(text);
  if (!read.ok || (Array.isArray(read.value) && read.value.every(isObject))) return read;
  return { ok: false, problem: { what: "expected a list of objects, [ { … } ]", line: 1, column: 1 } };
}

/** A problem in words: "Line 3, column 7: a comma before the end". */
export const problemWords = ({ what, line, column }: JsonProblem): string =>
  `Line ${line}, column ${column}: ${what}`;

const isObject = (value: unknown): boolean =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Inside a text all is allowed but quotes, backslashes and what lies before the space. */
const token =
  /[ \t\r\n]+|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:]/y;

type Wanted = "value" | "key" | "colon" | "next" | "end";
type Problem = { readonly what: string; readonly at: number };

/** Walks the tokens without recursion: depth costs no stack. The text is known to be no JSON. */
function findProblem(text: string): Problem {
  const open: ("{" | "[")[] = [];
  let wanted: Wanted = "value";
  let before = "";
  let at = 0;
  const close = () => {
    open.pop();
    wanted = open.length === 0 ? "end" : "next";
  };
  while (at < text.length) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return { what: describeStray(text, at), at };
    const isSpace = /^\s/.test(found);
    if (!isSpace) {
      const inside = open.at(-1);
      if (wanted === "end") return { what: "unexpected text after the end", at };
      if (wanted === "colon") {
        if (found !== ":") return { what: "missing colon after the key", at };
        wanted = "value";
      } else if (wanted === "next") {
        if (found === ",") wanted = inside === "{" ? "key" : "value";
        else if (found === (inside === "{" ? "}" : "]")) close();
        else return { what: "missing comma", at };
      } else if (found === "}" || found === "]") {
        const fits = found === "}" ? wanted === "key" : wanted === "value" && inside === "[";
        if (before === "," && fits) return { what: "trailing comma", at };
        if (!fits || !/[[{]/.test(before)) return { what: `expected a value, found “${found}”`, at };
        close();
      } else if (wanted === "key") {
        if (!found.startsWith('"')) return { what: "expected a key in double quotes", at };
        wanted = "colon";
      } else if (found === "{" || found === "[") {
        open.push(found);
        wanted = found === "{" ? "key" : "value";
      } else if (found === "," || found === ":") {
        return { what: `expected a value, found “${found}”`, at };
      } else {
        wanted = open.length === 0 ? "end" : "next";
      }
      before = found;
    }
    at += found.length;
  }
  return { what: text.trim() === "" ? "empty" : "unexpected end", at: text.length };
}

function describeStray(text: string, at: number): string {
  const character = text[at] ?? "";
  if (character === '"') return "unclosed string or invalid escape";
  if (character === "'") return "use double quotes for strings and keys";
  if (text.startsWith("//", at) || text.startsWith("/*", at)) return "comments are not allowed in JSON";
  if (/[A-Za-z_]/.test(character)) return "unquoted word; only true, false and null are allowed";
  return `unexpected “${character}”`;
}
