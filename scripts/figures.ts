import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, root } from "../src/testing/source-files.ts";

/**
 * Prints what the console's code is made of, by room: production files (`.ts`, `.tsx`, `.css`; no tests, nothing
 * generated), their lines, and how often React's escape hatches are used. Figures to look at, no gate.
 */
const files = listFiles("src/console", [".ts", ".tsx", ".css"])
  .filter((path) => !/\.(test|gen)\.tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return { path, text, lines: text.split("\n").length - 1 };
  });

const at = (sorted: readonly number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
const hatches = ["useEffect", "useSyncExternalStore", "querySelector"] as const;

function figuresOf(name: string, some: typeof files) {
  const sizes = some.map(({ lines }) => lines).sort((a, b) => a - b);
  const total = sizes.reduce((sum, lines) => sum + lines, 0);
  const uses = hatches.map((hatch) => {
    const count = some.reduce((sum, { text }) => sum + text.split(`${hatch}(`).length - 1, 0);
    return [hatch, `${count} (${((count / total) * 1_000).toFixed(1)})`];
  });
  return {
    room: name,
    files: sizes.length,
    lines: total,
    median: at(sizes, 0.5),
    p90: at(sizes, 0.9),
    longest: sizes.at(-1) ?? 0,
    "of at most 25": sizes.filter((lines) => lines <= 25).length,
    ...Object.fromEntries(uses),
  };
}

const roomOf = (path: string): string => /^src\/console\/(areas\/[^/]+|[^/]+)/.exec(path)?.[1] ?? "";
const rooms = [...new Set(files.map(({ path }) => roomOf(path)))].sort();
console.log("Uses in brackets: for each 1,000 lines");
console.table([
  ...rooms.map((room) =>
    figuresOf(
      room,
      files.filter(({ path }) => roomOf(path) === room),
    ),
  ),
  figuresOf("src/console", files),
]);
