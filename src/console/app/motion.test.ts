import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const read = (file: string) =>
  readFileSync(path.join(import.meta.dirname, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");

/** The bodies of the reduced-motion blocks that stand in no layer, where no utility can win over them. */
function unlayeredBlocks(css: string): string[] {
  const query = "@media (prefers-reduced-motion: reduce)";
  const blocks: string[] = [];
  let depth = 0;
  for (let at = 0; at < css.length; at++) {
    if (depth === 0 && css.startsWith(query, at)) blocks.push(css.slice(at, css.indexOf("\n}", at)));
    if (css[at] === "{") depth++;
    if (css[at] === "}") depth--;
  }
  return blocks;
}

test("without motion nothing turns, fades or scrolls by itself, whatever class it has", () => {
  const [block = ""] = unlayeredBlocks(read("styles.css"));
  for (const rule of ["animation: none", "transition: none", "scroll-behavior: auto"])
    expect(block).toContain(rule);
  expect(block).toMatch(/\*:not\(\.appear-late\),\s*::before,\s*::after \{/);
});

test("motion takes at most 150 ms, and no time at all when it is not wanted", () => {
  const tokens = read("tokens.css");
  expect(Number(/--motion: (\d+)ms/.exec(tokens)?.[1])).toBeLessThanOrEqual(150);
  expect(unlayeredBlocks(tokens).join()).toContain("--motion: 0ms");
});
