import { expect, test } from "vitest";
import { readRetryAfter } from "./retry-after.ts";

const at = (seconds: number) => new Date(Date.UTC(2031, 0, 1, 0, 0, seconds)).toUTCString();

test.each([
  ["seconds", { "retry-after": "7" }, 7_000],
  ["parts of a second, with blanks", { "retry-after": " 0.5 " }, 500],
  ["more seconds than anyone waits", { "retry-after": "9999999999" }, 9_999_999_999_000],
  ["S-295: a date, by the clock of who sent it", { "retry-after": at(30), date: at(10) }, 20_000],
  ["a date in the past", { "retry-after": at(10), date: at(30) }, 0],
  ["a date long ago, without one of the answer", { "retry-after": "Thu, 19 Nov 2020 08:00:30 GMT" }, 0],
  ["words", { "retry-after": "soon", date: at(10) }, null],
  ["a number below zero", { "retry-after": "-5x" }, null],
  ["nothing", { date: at(10) }, null],
  ["null, as of headers that fetch has read", { "retry-after": null, date: null }, null],
])("a wait is read from %s", (_, headers, ms) => {
  expect(readRetryAfter(headers)).toBe(ms);
});
