import { expect, test } from "vitest";
import { LogReading, levelCodes, type ReadableLog } from "./log-reading.ts";

const logOf = (...lines: string[]): ReadableLog => ({
  length: lines.length,
  text: (line) => lines[line] ?? "",
  endsWithReturn: () => false,
  startsWithReturn: () => false,
});
const at = "2026-11-20T08:15:04Z";
const { plain, warning, error } = levelCodes;

function levelsOf(...lines: string[]): number[] {
  const facts = new LogReading().step(logOf(...lines), () => false);
  return [...(facts?.levels ?? [])];
}

test("the lines of a stack trace have the level of their error, whether or not they name its node", () => {
  expect(levelsOf(`${at} [Match] error: none`, `${at} [Match]   at match`, `${at} [Match] next`)).toEqual([
    error,
    error,
    plain,
  ]);
  expect(levelsOf(`${at} [Match] error: none`, "    at match", "    at run", `${at} [Match] next`)).toEqual([
    error,
    error,
    error,
    plain,
  ]);
});

test("tries of an item of `each` that are made again count as warnings, and only the last one as an error", () => {
  expect(
    levelsOf(
      `${at} [All] started`,
      `${at} [All] 3: tries again in 2.1 s: the connection failed (attempt 1 of 3)`,
      `${at} [All] 3: tries again in 4.4 s: the connection failed (attempt 2 of 3)`,
      `${at} [All] failed: the connection failed`,
    ),
  ).toEqual([plain, warning, warning, error]);
});

test("what another node writes further in does not belong to the error above it", () => {
  expect(levelsOf(`${at} [Match] error: none`, `${at} [Other]   listed`)).toEqual([error, plain]);
  expect(levelsOf("    listed")).toEqual([plain]);
});
