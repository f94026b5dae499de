import { type Find, Marked, noFind } from "../markdown/Marked.tsx";

/** A token of JSON: a key, a text, another value, or punctuation. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)|([^"\d\w-]+|.)/gs;

/** JSON as it was written, with its parts in colour. Only for short texts: JsonTree is for the others. */
export function JsonText({ text, find = noFind }: { text: string; find?: Find }) {
  const parts = [...text.matchAll(token)];
  return parts.map(([whole, quoted, colon, bare], at) => {
    if (quoted !== undefined && colon === undefined) {
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one text never move
        <span key={at} className="text-ansi-green">
          <Marked text={quoted} find={find} />
        </span>
      );
    }
    if (bare !== undefined) {
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one text never move
        <span key={at} className="text-ansi-blue">
          <Marked text={bare} find={find} />
        </span>
      );
    }
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one text never move
    return <Marked key={at} text={whole} find={find} />;
  });
}

/** JSON on few lines: short lists and records stay on one line, as people write them. Only for small values. */
export function compactJson(value: unknown, width = 78, indent = ""): string {
  const line = JSON.stringify(value, null, 1)?.replaceAll(/\n\s*/g, " ") ?? "null";
  if (line.length + indent.length <= width || value === null || typeof value !== "object") return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((one) => compactJson(one, width, inner))
    : Object.keys(value).map(
        (key) =>
          `${JSON.stringify(key)}: ${compactJson((value as Record<string, unknown>)[key], width - key.length - 4, inner)}`,
      );
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const isShort = !item.includes("\n") && last !== undefined && !last.includes("\n");
    if (isShort && `${inner}${last}, ${item}`.length <= width) lines[lines.length - 1] = `${last}, ${item}`;
    else lines.push(item);
  }
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  return `${open} ${lines.join(`,\n${inner}`)} ${close}`;
}
