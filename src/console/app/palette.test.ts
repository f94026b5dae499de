import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
);

const hues =
  "slate|gray|grey|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose";
const utilities =
  "text|bg|border(?:-[xytrbl])?|ring|outline|divide|fill|stroke|from|via|to|shadow|accent|caret|decoration|placeholder";
const faults: [string, RegExp][] = [
  [
    "a class of Tailwind's own palette",
    new RegExp(`(?<![\\w-])(?:${utilities})-(?:(?:${hues})-\\d{2,3}|black|white)(?![\\w-])`),
  ],
  ["a colour in a class", /-\[(?:#|rgb|hsl|oklch|color:)/],
  [
    "a colour in a style",
    /(?:color|background|fill|stroke|border)\w*["']?\s*[:=]\s*["'`{]+\s*(?:#[\da-f]{3,8}|rgb|hsl|oklch)/i,
  ],
  ["a layer by number", /(?<![\w-])z-(?:\d+|\[)/],
];

/** Every fault in a text, as "fault: what stands there". */
function faultsIn(text: string): string[] {
  return faults.flatMap(([name, pattern]) => {
    const match = pattern.exec(text);
    return match ? [`${name}: ${match[0]}`] : [];
  });
}

test("no page names a colour or a layer by anything but its role", () => {
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) =>
    faultsIn(readFileSync(path.join(import.meta.dirname, file), "utf8")).map((fault) => `${file}: ${fault}`),
  );
  expect(found).toEqual([]);
});

test.each([
  'className="text-red-500"',
  'className="hover:bg-gray-100/50"',
  'className="border-l-teal-700 p-2"',
  'className="text-white"',
  'className="bg-[#fff]"',
  'style={{ color: "#0f5f5d" }}',
  'fill="#fff"',
  'className="z-50"',
  'className="z-[999]"',
])("the rule catches %s", (line) => {
  expect(faultsIn(line)).toHaveLength(1);
});

test.each([
  'className="text-muted bg-ansi-red"',
  'href="#add"',
  "bg-state-failed-bg z-menu",
  "ring-accent-bg",
])("the rule lets %s be", (line) => {
  expect(faultsIn(line)).toEqual([]);
});
