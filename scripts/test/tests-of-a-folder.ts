import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Round } from "./rounds.ts";
import { runTests } from "./run-tests.ts";

/** Inside of the repository, so that the runners are found from there. */
const parent = resolve(import.meta.dirname, "../../test-results");

/** Gives each test of a file a folder of its own, whose tests it writes and runs. */
export function testsOfAFolder() {
  let cwd = "";
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  beforeEach(() => {
    mkdirSync(parent, { recursive: true });
    cwd = mkdtempSync(join(parent, "second-try-"));
    write("vitest.config.mjs", 'export default { test: { name: "unit", include: ["*.unit.mjs"] } };');
    write(
      "playwright.config.mjs",
      'export default { testMatch: "*.spec.mjs", outputDir: "out", projects: [{ name: "pages" }] };',
    );
  });
  afterEach(() => rmSync(cwd, { recursive: true }));
  return {
    write,
    run: (...rounds: Round["runner"][]) =>
      runTests(
        rounds.map((runner) => ({ name: runner, runner, args: [] })),
        { cwd, quiet: true },
      ),
  };
}

/** Throws at its first call in the folder, and never again. */
export const failsOnce = (mark: string) =>
  `const first = !existsSync("${mark}"); writeFileSync("${mark}", ""); if (first) throw new Error("first try of ${mark}");`;
/** A file of vitest. */
export const unit = (body: string) =>
  `import { existsSync, writeFileSync } from "node:fs"; import { beforeAll, describe, test } from "vitest";\n${body}`;
/** A file of Playwright. */
export const page = (body: string) =>
  `import { existsSync, writeFileSync } from "node:fs"; import { expect, test } from "@playwright/test";\n${body}`;
