import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chosen, figuresOf, type Part, reportOf, runParts } from "./run-parts.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wheelhouse-parts-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const part = (name: string, script: string): Part => ({
  name,
  command: [process.execPath, "-e", script],
  env: { FOLDER: folder },
});
const fs = 'const { existsSync, mkdirSync, rmdirSync, writeFileSync } = require("node:fs");';
/** Goes on only when the other one runs too. */
const meets = (mine: string, other: string) =>
  `${fs} writeFileSync(process.env.FOLDER + "/${mine}", "");
   const look = () => existsSync(process.env.FOLDER + "/${other}") || setTimeout(look, 5); look();`;
/** Fails where another one of its kind runs. */
const isAlone = `${fs} mkdirSync(process.env.FOLDER + "/room"); setTimeout(() => rmdirSync(process.env.FOLDER + "/room"), 50);`;

test("A part that fails, or cannot be started, keeps no other from running, and is named with its log", async () => {
  const missing: Part = { name: "missing", command: [join(folder, "no-such-program")] };
  const results = await runParts(
    [
      { atOnce: 1, parts: [part("red", 'console.log("it broke"); process.exit(3)'), missing] },
      { atOnce: 1, parts: [part("green", 'console.log("seed 7: 40 requests in 2 s")')] },
    ],
    folder,
  );
  expect(results.map(({ name, passed }) => [name, passed])).toEqual([
    ["red", false],
    ["missing", false],
    ["green", true],
  ]);
  const [red, absent, green] = results;
  expect(readFileSync(red?.log ?? "", "utf8")).toBe("it broke\n");
  expect(readFileSync(absent?.log ?? "", "utf8")).toContain("ENOENT");
  expect(green && reportOf(green)).toMatch(/^green passed after .*\n {4}seed 7: 40 requests in 2 s$/);
  expect(red && reportOf(red)).toMatch(/^red FAILED after /);
});

test("Parts of a group run beside each other, and those of the next begin when all of them have ended", async () => {
  const results = await runParts(
    [
      { atOnce: 2, parts: [part("left", meets("left", "right")), part("right", meets("right", "left"))] },
      { atOnce: 1, parts: [part("first", isAlone), part("second", isAlone)] },
    ],
    folder,
  );
  expect(results.map(({ passed }) => passed)).toEqual([true, true, true, true]);
  expect(results.slice(2).map(({ name }) => name)).toEqual(["first", "second"]);
});

test("Somebody who names parts gets those that begin so, and hears which there are where none does", () => {
  const groups = [
    { atOnce: 2, parts: [part("schedules-1", ""), part("requests", "")] },
    { atOnce: 1, parts: [part("unit", "")] },
  ];
  const names = (...asked: string[]) =>
    chosen(groups, asked).map(({ parts }) => parts.map(({ name }) => name));
  expect(names()).toEqual([["schedules-1", "requests"], ["unit"]]);
  expect(names("sched", "unit")).toEqual([["schedules-1"], ["unit"]]);
  expect(() => names("nothing")).toThrow("no part is called nothing; there are schedules-1, requests, unit");
});

test("What a part says of its seeds and of its tests is told, without colours, and nothing else", () => {
  const output =
    "100 schedules, 0 broken\nseeds 1 to 200 in 70 s\n\u001b[2m      Tests \u001b[22m 1 passed (1)\n  12 passed (3.0m)\n";
  expect(figuresOf(output)).toEqual(["seeds 1 to 200 in 70 s", "Tests  1 passed (1)", "12 passed (3.0m)"]);
});
