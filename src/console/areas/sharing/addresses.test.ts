import { expect, test } from "vitest";
import { outsideDomains, readEntries } from "./addresses.ts";
import { generatePassword } from "./LinkSettings.tsx";

const teams = [{ id: "team_harbor", name: "Harbor (sample)" }];
const read = (text: string) => readEntries(text, teams).map(({ kind, id }) => `${kind} ${id}`);

test("a pasted list is read whatever separates it, and duplicates are one", () => {
  const text =
    'Ada Sample <Ada@Example.com>, grace@example.com; mary@example.com\nada@example.com\tmailto:alan@example.com  "kurt@example.com"';
  expect(read(text)).toEqual([
    "person ada@example.com",
    "person grace@example.com",
    "person mary@example.com",
    "person alan@example.com",
    "person kurt@example.com",
  ]);
});

test("a team is found by its name or id, and what is neither is kept as it was written", () => {
  expect(read("harbor (SAMPLE), team_harbor")).toEqual(["team team_harbor"]);
  expect(read("grace@, @example.com, someone")).toEqual([
    "unreadable grace@",
    "unreadable @example.com",
    "unreadable someone",
  ]);
});

test("outside is what has another domain than those who belong to it; without those, nothing is said", () => {
  const home = new Set(["example.com"]);
  expect(outsideDomains(["a@example.com", "b@NVG.example", "c@nvg.example"], home)).toEqual(["nvg.example"]);
  expect(outsideDomains(["b@nvg.example"], new Set())).toEqual([]);
  // C-08: the first letter is a Cyrillic one.
  expect(outsideDomains(["b@\u0435xample.com"], home)).toEqual(["xn--xample-2of.com"]);
});

test("a generated password is long, never the same, and without letters that are mistaken for others", () => {
  const made = Array.from({ length: 200 }, () => generatePassword());
  expect(new Set(made).size).toBe(200);
  for (const password of made)
    expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{5}(-[a-km-zA-HJ-NP-Z2-9]{5}){3}$/);
});
