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
export function* jsonPieces(value: unknown): Generator<string> {
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
