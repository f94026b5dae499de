import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import config from "../../../tailwind.config.ts";
import { contrast, parseOklch, tokensOf } from "../../testing/colour.ts";

const css = readFileSync(path.join(import.meta.dirname, "tokens.css"), "utf8");
const themes = { light: tokensOf(css, '[data-theme="light"]'), dark: tokensOf(css, '[data-theme="dark"]') };
const names = [...themes.light.keys()];
const isShadow = (name: string) => name.startsWith("shadow-");

const pages = ["surface", "surface-sunken", "surface-raised", "surface-hover", "surface-selected"];
const states = ["running", "done", "failed", "stopped", "waiting", "unknown"];
const inks = ["red", "green", "yellow", "blue", "magenta", "cyan"].map((name) => `ansi-${name}`);

/** What may stand on what: [what stands, on which of these, at least so much contrast]. */
const promises: [string, string[], number][] = [
  ["text", [...pages, "surface-raised-hover", "surface-pressed", "accent-bg", "hit-bg"], 4.5],
  [
    "text",
    [
      "diff-add-bg",
      "diff-add-strong",
      "diff-del-bg",
      "diff-del-strong",
      "state-failed-bg",
      "state-stopped-bg",
    ],
    4.5,
  ],
  [
    "text-muted",
    [...pages, "surface-raised-hover", "surface-pressed", "accent-bg", "state-failed-bg", "state-stopped-bg"],
    4.5,
  ],
  ["text-faint", pages, 4.5],
  ["text-inverse", ["surface-inverse"], 4.5],
  ["on-accent", ["accent-solid", "accent-hover"], 4.5],
  ["on-hit", ["hit-current-bg"], 4.5],
  ["accent", [...pages, "accent-bg"], 4.5],
  ["accent-hover", pages, 4.5],
  ...states.map((state): [string, string[], number] => [
    `state-${state}-fg`,
    [...pages, "surface-raised-hover", `state-${state}-bg`],
    4.5,
  ]),
  ["state-done-fg", ["diff-add-bg"], 4.5],
  ["state-failed-fg", ["diff-del-bg"], 4.5],
  ...inks.map((ink): [string, string[], number] => [ink, ["surface-sunken", "surface"], 4.5]),
  ["ansi-red", ["state-failed-bg"], 4.5],
  ...states.map((state): [string, string[], number] => [
    `state-${state}-mark`,
    [...pages, `state-${state}-bg`],
    3,
  ]),
  ["focus", [...pages, "surface-pressed", "state-stopped-bg", "state-failed-bg"], 3],
  ["line-check", pages, 3],
  ["surface-raised", ["line-check", "accent-solid"], 3],
  ["accent-solid", pages, 3],
  ["chart-quiet", ["surface", "surface-raised"], 3],
  ["hit-mark", ["surface-sunken", "surface"], 3],
];

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  const tokens = themes[theme];
  const colour = (name: string) => parseOklch(tokens.get(name) ?? `no token ${name}`);

  test("every colour is a valid oklch value, and every shadow is made of them", () => {
    for (const [name, value] of tokens) {
      if (!isShadow(name)) expect(() => parseOklch(value), name).not.toThrow();
      else {
        for (const layer of value.split(/,(?![^(]*\))/)) {
          const parts = /^((?:0|-?\d+px)(?: (?:0|-?\d+px)){2,3}) (oklch\(.*\))$/.exec(layer.trim());
          expect(parts, `${name}: ${layer}`).not.toBeNull();
          expect(() => parseOklch(parts?.[2] ?? ""), name).not.toThrow();
        }
      }
    }
  });

  test.each(promises)("%s can be read or seen on %s", (front, grounds, least) => {
    for (const ground of grounds) {
      expect(contrast(colour(front), colour(ground)), `${front} on ${ground}`).toBeGreaterThanOrEqual(least);
    }
  });
});

test("both themes define the same tokens, and every one has a value", () => {
  expect([...themes.dark.keys()]).toEqual(names);
  expect(names.length).toBeGreaterThan(60);
});

test("every colour token can be used as a class, and no class names a token that does not exist", () => {
  const { colors, textColor } = config.theme;
  const used = [...Object.values(colors), ...Object.values(textColor)].flatMap((value) =>
    [...String(value).matchAll(/^var\(--(.+)\)$/g)].map((match) => match[1]),
  );
  // The names of the texts as classes are shorter than as tokens: text-muted is the class and the token.
  expect(used.toSorted()).toEqual(names.filter((name) => !isShadow(name)).toSorted());
});
