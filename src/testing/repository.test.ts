import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { schemaBefore } from "../service/store/migrations/index.ts";
import { listFiles, readSources, root } from "./source-files.ts";

const itself = "src/testing/repository.test.ts";
const code = ["src", "e2e", "bench", "scripts"].flatMap(readSources);
const tests = code.filter((file) => /\.(test|spec)\.tsx?$/.test(file.path) && file.path !== itself);
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** What a reader of the repository has no use for, or that works on one machine alone. */
const unwanted = [
  /\bregistry\.npmjs\.org|artifactory|verdaccio/i,
  /\/work\/|\/root\/|\/home\/\w+\/|\.\.\/shared\b/,
  /\b(?:chatgpt|copilot|claude code|codex)\b/i,
  /(?:\/\/|\/?\*|#|<!--) ?(?:TODO|FIXME|XXX)\b/,
];

describe("the repository", () => {
  it("keeps files short enough to find one's way in", () => {
    const long = code
      .map((file) => ({ path: file.path, lines: file.text.split("\n").length }))
      .filter((file) => file.lines > 400);
    expect(long).toEqual([]);
  });

  it("leaves no test out and runs none alone", () => {
    const marked = tests
      .filter((file) => /\b(?:it|test|describe)(?:\.\w+)*\.(?:only|todo|fixme)\(/.test(file.text))
      .map((file) => file.path);
    expect(marked).toEqual([]);
  });

  it("says why, wherever a test is skipped", () => {
    // `skipIf(condition)` and Playwright's `test.skip(condition, "reason")` say why; a bare skip does not.
    const bare = tests
      .filter((file) => /\b(?:it|test|describe)\.skip\(\s*["'`]/.test(file.text))
      .map((file) => file.path);
    expect(bare).toEqual([]);
  });

  it("writes times and days of the console in one place, which knows the reader's day and zone", () => {
    const writes =
      /DateTimeFormat|toLocale(?:Date|Time)String|to(?:Date|Time|UTC)String\(|\.get(?:UTC)?(?:Hours|Minutes)\(/;
    const found = code
      .filter((file) => file.path.startsWith("src/console/") && !tests.includes(file))
      .filter((file) => file.path !== "src/console/lib/time/format.ts" && writes.test(file.text))
      .map((file) => file.path);
    expect(found).toEqual([]);
  });

  it("writes numbers of the console without the browser's formats, of which the first holds up a slow page", () => {
    const found = code
      .filter((file) => file.path.startsWith("src/console/") && !tests.includes(file))
      .filter((file) => /toLocaleString|NumberFormat/.test(file.text))
      .map((file) => file.path);
    expect(found).toEqual([]);
  });

  it("sleeps in no test", () => {
    const sleeping = tests.filter((file) => /waitForTimeout\(/.test(file.text)).map((file) => file.path);
    expect(sleeping).toEqual([]);
  });

  it("mentions no machine's paths, no registry's host and no loose end", () => {
    const folders = ["src", "e2e", "bench", "scripts", "docs", "workspace", "public", ".ci"];
    const texts = [".ts", ".tsx", ".css", ".md", ".yaml", ".json", ".html", ".svg", ".js", "run"];
    const documents = [
      ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
      ...["package.json", "package-lock.json", "index.html"],
    ];
    const found = [...documents, ...folders.flatMap((folder) => listFiles(folder, texts))]
      .filter((path) => path !== itself && !path.startsWith("bench/results/"))
      .flatMap((path) => {
        const text = read(path);
        return unwanted.flatMap((word) =>
          word.exec(text) === null ? [] : [`${path}: ${word.exec(text)?.[0]}`],
        );
      });
    expect(found).toEqual([]);
  });

  it("has the route tree of the route files that there are", () => {
    const tree = read("src/console/app/routeTree.gen.ts");
    const imported = [...tree.matchAll(/from "\.\/(routes\/[^"]+)"/g)].map((match) => match[1] ?? "").sort();
    const routes = listFiles("src/console/app/routes", [".tsx", ".ts"])
      .filter((path) => !/\.test\.|\/-/.test(path))
      .map((path) => path.replace("src/console/app/", ""));
    expect(imported, "npm run build writes the tree").toEqual(routes);
  });

  it("names in the changelog the version and the schema of the newest release", () => {
    const newest = /^## \[(?<version>\d+\.\d+\.\d+)\] - (?<day>\S+)\n\nSchema (?<schema>\d+)\./m.exec(
      read("CHANGELOG.md"),
    );
    expect(newest?.groups).toEqual({
      version: JSON.parse(read("package.json")).version,
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      schema: String(schemaBefore),
    });
  });

  it("keeps what the build and the start are made of", () => {
    for (const path of ["LICENSE", ".ci/run", "package-lock.json", "src/console/app/theme-init.js"])
      expect(existsSync(join(root, path)), path).toBe(true);
  });
});
