import { expect, test } from "vitest";
import { failsOnce, page, testsOfAFolder, unit } from "./tests-of-a-folder.ts";

const { write, run } = testsOfAFolder();

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
