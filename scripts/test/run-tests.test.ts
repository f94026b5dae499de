import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Round } from "./rounds.ts";
import { runTests } from "./run-tests.ts";

/** Inside of the repository, so that the runners are found from there. */
const parent = resolve(import.meta.dirname, "../../test-results");
let cwd = "";
beforeEach(() => {
  mkdirSync(parent, { recursive: true });
  cwd = mkdtempSync(join(parent, "second-try-"));
  writeFileSync(
    join(cwd, "vitest.config.mjs"),
    'export default { test: { name: "unit", include: ["*.unit.mjs"] } };',
  );
  writeFileSync(
    join(cwd, "playwright.config.mjs"),
    'export default { testMatch: "*.spec.mjs", outputDir: "out", projects: [{ name: "pages" }] };',
  );
});
afterEach(() => rmSync(cwd, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const run = (...rounds: Round["runner"][]) =>
  runTests(
    rounds.map((runner) => ({ name: runner, runner, args: [] })),
    { cwd, quiet: true },
  );

/** Throws at its first call in the folder, and never again. */
const failsOnce = (mark: string) =>
  `const first = !existsSync("${mark}"); writeFileSync("${mark}", ""); if (first) throw new Error("first try of ${mark}");`;
const unit = (body: string) =>
  `import { existsSync, writeFileSync } from "node:fs"; import { beforeAll, describe, test } from "vitest";\n${body}`;
const page = (body: string) =>
  `import { existsSync, writeFileSync } from "node:fs"; import { expect, test } from "@playwright/test";\n${body}`;

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

test("A file whose hook failed is tried again whole; so is one that could not be loaded", () => {
  write(
    "a.unit.mjs",
    unit(`beforeAll(() => { ${failsOnce("hook")} }); test("one", () => {}); test("two", () => {});`),
  );
  write("b.unit.mjs", unit('throw new Error("cannot be loaded");'));
  const { passed, text } = run("vitest");
  expect(text).toMatch(
    /flaky\n {2}unit · a\.unit\.mjs › the file, outside of its tests\n {4}Error: first try of hook/,
  );
  expect(text).toMatch(
    /failed\n {2}unit · b\.unit\.mjs › the file, outside of its tests\n {4}Error: cannot be loaded/,
  );
  expect(passed).toBe(false);
});

test("Five tests may be flaky; with a sixth the run fails and nothing is tried again", () => {
  const flaky = (count: number) =>
    unit(
      Array.from(
        { length: count },
        (_, n) => `test("test ${n}", () => { ${failsOnce(`${count}-${n}`)} });`,
      ).join("\n"),
    );
  write("a.unit.mjs", flaky(5));
  expect(run("vitest")).toMatchObject({
    passed: true,
    text: expect.stringMatching(/Tests: 5 passed, 0 failed/),
  });
  write("a.unit.mjs", flaky(6));
  write("b.spec.mjs", page('test("a page", () => {});'));
  const six = run("vitest", "playwright");
  expect(six.text).toMatch(/failed\n {2}unit · a\.unit\.mjs › test 0/);
  expect(six.text).toMatch(/Tests: 0 passed, 6 failed, 0 skipped$/);
  expect(six.text).toMatch(/not begun\n {2}playwright\n/);
  expect(six.passed).toBe(false);
});

test("A test that the second try does not find has failed", () => {
  write(
    "a.unit.mjs",
    unit(`test("at " + (existsSync("met") ? "last" : "first"), () => { ${failsOnce("met")} });`),
  );
  const { passed, text } = run("vitest");
  expect(text).toMatch(/failed\n {2}unit · a\.unit\.mjs › at first\n/);
  expect(passed).toBe(false);
});

test("An error outside of any test fails the run: no second try excuses it", () => {
  write("a.unit.mjs", unit('test("holds", () => { Promise.reject(new Error("nobody waits for me")); });'));
  const { passed, text } = run("vitest");
  expect(text).toMatch(/outside of tests\n {4}unhandled: Error: nobody waits for me/);
  expect(passed).toBe(false);
});

test("A runner that finds no test or cannot start fails the run, whatever the other one says", () => {
  write("b.spec.mjs", page('test("a page", () => {});'));
  expect(run("playwright", "vitest")).toMatchObject({ passed: false });
  write("playwright.config.mjs", "this is no program");
  expect(run("playwright")).toMatchObject({
    passed: false,
    text: expect.stringContaining("playwright ended with 1 and without a report"),
  });
});

test("What a failed test of a series kept from running counts as failed too", () => {
  write(
    "b.spec.mjs",
    page(
      `test.describe.serial("a series", () => { test("first", () => { ${failsOnce("s")} }); test("second", () => { throw new Error("hidden"); }); });`,
    ),
  );
  const { passed, text } = run("playwright");
  expect(text).toMatch(/failed\n {2}pages · b\.spec\.mjs › a series › second\n {4}it did not run/);
  expect(text).toMatch(/flaky\n {2}pages · b\.spec\.mjs › a series › first\n/);
  expect(passed).toBe(false);
});
