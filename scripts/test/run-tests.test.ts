import { expect, test } from "vitest";
import { failsOnce, page, testsOfAFolder, unit } from "./tests-of-a-folder.ts";

const { write, run } = testsOfAFolder();

test("A test of either runner that passes when it is tried again alone is named as flaky, and the run passes", () => {
  write(
    "a.unit.mjs",
    unit(
      `test("holds", () => {}); describe("a group", () => test("is (once) wrong [2+2] $", () => { ${failsOnce("a")} }));`,
    ),
  );
  write(
    "b.spec.mjs",
    page(`test("a page (once) wrong", () => { ${failsOnce("b")} }); test("a page", () => {});`),
  );
  const { passed, text } = run("vitest", "playwright");
  expect(text).toMatch(
    /flaky\n {2}unit · a\.unit\.mjs › a group > is \(once\) wrong \[2\+2\] \$\n {4}Error: first try of a\n/,
  );
  expect(text).toMatch(/pages · b\.spec\.mjs › a page \(once\) wrong\n {4}Error: first try of b\n/);
  expect(text).toMatch(/Tests: 4 passed, 0 failed, 0 skipped$/);
  expect(passed).toBe(true);
});

test("A test that fails both times fails the run, with its error", () => {
  write(
    "a.unit.mjs",
    unit('test("is wrong", () => { throw new Error("as ever"); }); test("holds", () => {});'),
  );
  const { passed, text } = run("vitest");
  expect(text).toMatch(/failed\n {2}unit · a\.unit\.mjs › is wrong\n {4}Error: as ever/);
  expect(text).toMatch(/flaky: none\n\nTests: 1 passed, 1 failed, 0 skipped$/);
  expect(passed).toBe(false);
});

test("An error outside of any test fails the run: no second try excuses it", () => {
  write("a.unit.mjs", unit('test("holds", () => { Promise.reject(new Error("nobody waits for me")); });'));
  const { passed, text } = run("vitest");
  expect(text).toMatch(/outside of tests\n {4}unhandled: Error: nobody waits for me/);
  expect(passed).toBe(false);
});
