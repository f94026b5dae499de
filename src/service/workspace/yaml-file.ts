import { type Document, isMap, isNode, LineCounter, type Node, parseDocument } from "yaml";
import type { Path } from "../pipelines/fields.ts";
import type { Problem } from "./problem.ts";

/** A YAML or JSON file with the places of its values. */
export interface YamlFile {
  /** Relative to the workspace. */
  readonly file: string;
  /** Undefined where the file cannot be read as YAML; `faults` then says why. */
  readonly value: unknown;
  readonly faults: readonly Problem[];
  /** A problem at a field; the nearest field above it where the field is missing. */
  problem(path: Path, message: string): Problem;
}

/** Reads YAML (JSON is a part of it). Anchors are refused beyond a hundred uses, so that a small file stays small. */
export function readYaml(file: string, text: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const faults: Problem[] = document.errors.map((error) => {
    return { file, ...at(error.pos[0]), field: "", message: firstSentence(error.message) };
  });
  let value: unknown;
  if (faults.length === 0) {
    try {
      value = document.toJS({ maxAliasCount: 100 });
    } catch (error) {
      const message = error instanceof Error ? firstSentence(error.message) : "cannot be read";
      faults.push({ file, line: 1, column: 1, field: "", message });
    }
  }
  return {
    file,
    value,
    faults,
    problem: (path, message) => ({ file, ...at(offsetOf(document, path)), field: path.join("."), message }),
  };
}

/** Where a field starts: its key in a map, its value in a list. */
function offsetOf(document: Document, path: Path): number {
  let node: Node | null = document.contents as Node | null;
  let offset = node?.range?.[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isNode(key) && String(key) === String(part));
      if (!pair) return offset;
      offset = (isNode(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
      node = isNode(pair.value) ? pair.value : null;
    } else {
      const item: unknown = node && "getIn" in node ? node.getIn([part], true) : null;
      if (!isNode(item)) return offset;
      node = item;
      offset = node.range?.[0] ?? offset;
    }
  }
  return offset;
}

function firstSentence(message: string): string {
  return (message.split(/\n| at line /)[0] ?? message).trim();
}
