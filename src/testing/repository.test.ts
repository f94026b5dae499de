import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles, readSources, root } from "./source-files.ts";

const documents = ["README.md", "ARCHITECTURE.md", ...listFiles("docs", [".md"])];
const read = (path: string) => readFileSync(join(root, path), "utf8");
const scripts: Record<string, string> = JSON.parse(read("package.json")).scripts;

describe("the repository", () => {
  it("names only files that exist in its documents", () => {
    const missing = documents.flatMap((document) =>
      [
        ...read(document).matchAll(
          /`((?:src|e2e|bench|scripts|docs|workspace|public)\/[\w./-]+)`|\]\((?!https?:|#)([^)#\s]+)/g,
        ),
      ]
        .map((match) => match[1] ?? match[2] ?? "")
        .filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, document, "..", path)))
        .map((path) => `${document}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it("names only scripts that exist in its documents", () => {
    const missing = documents.flatMap((document) =>
      [...read(document).matchAll(/npm run ([\w:-]+)/g)]
        .map((match) => match[1] ?? "")
        .filter((name) => scripts[name] === undefined)
        .map((name) => `${document}: npm run ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("keeps files short enough to find one's way in", () => {
    const long = [
      ...readSources("src"),
      ...readSources("e2e"),
      ...readSources("bench"),
      ...readSources("scripts"),
    ]
      .map((file) => ({ path: file.path, lines: file.text.split("\n").length }))
      .filter((file) => file.lines > 400);
    expect(long).toEqual([]);
  });

  it("leaves no test out and runs none alone", () => {
    const marked = [...readSources("src"), ...readSources("e2e")]
      .filter(
        (file) => /\.(test|spec)\.tsx?$/.test(file.path) && file.path !== "src/testing/repository.test.ts",
      )
      .filter((file) => /\b(?:it|test|describe)(?:\.\w+)*\.(?:only|todo|fixme)\(/.test(file.text))
      .map((file) => file.path);
    expect(marked).toEqual([]);
  });

  it("sleeps in no test", () => {
    const sleeping = [...readSources("src"), ...readSources("e2e")]
      .filter(
        (file) => /\.(test|spec)\.tsx?$/.test(file.path) && file.path !== "src/testing/repository.test.ts",
      )
      .filter((file) => /waitForTimeout\(/.test(file.text))
      .map((file) => file.path);
    expect(sleeping).toEqual([]);
  });
});
