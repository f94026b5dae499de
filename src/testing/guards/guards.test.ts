import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { migrations } from "../../service/store/migrations/index.ts";
import { readTargets } from "../references.ts";
import { root } from "../source-files.ts";
import { type Guard, switchOff, timesIn } from "./guard.ts";
import { guards } from "./guards.ts";

const sample: Guard = {
  id: "sample",
  codes: ["S-20"],
  holds: "It is refused.",
  file: "src/a.ts",
  text: "if (isForeign)",
  off: "if ($& && false)",
  tests: ["src/a.test.ts"],
};

describe("the list of guards", () => {
  it("names each guard once", () => {
    const ids = guards.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it("has the text of each exactly once in its file", () => {
    const wrong = guards.filter(
      (guard) => timesIn(readFileSync(join(root, guard.file), "utf8"), guard) !== 1,
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it("has those of the database's functions in their newest version", () => {
    const replaced = guards.flatMap(({ id, file, text }) => {
      const at = migrations.findIndex(({ name }) => file.endsWith(`migrations/${name}.ts`));
      const before = migrations[at]?.sql.split(text)[0] ?? "";
      const name = [...before.matchAll(/function (\w+)\(/g)].at(-1)?.[1];
      const later = migrations.slice(at + 1).filter(({ sql }) => sql.includes(`replace function ${name}(`));
      return name === undefined ? [] : later.map((migration) => `${id}: ${name} in ${migration.name}`);
    });
    expect(replaced).toEqual([]);
  });

  it("names rows of docs/faults.md and unit tests that are there", () => {
    const { codes } = readTargets();
    const wrong = guards.flatMap((guard) => [
      ...guard.codes.filter((code) => !codes.has(code)).map((code) => `${guard.id}: ${code}`),
      ...guard.tests
        .filter((path) => !/\.test\.tsx?$/.test(path) || !existsSync(join(root, path)))
        .map((path) => `${guard.id}: ${path}`),
    ]);
    expect(wrong).toEqual([]);
  });
});

describe("a guard that is switched off", () => {
  it("is replaced as its list says, to the letter", () => {
    expect(switchOff("if (isForeign) throw refused();", sample)).toBe("if ($& && false) throw refused();");
  });

  it("fails the build where its text is missing or stands twice", () => {
    expect(() => switchOff("return;", sample)).toThrow("stands 0 times in src/a.ts");
    expect(() => switchOff("if (isForeign) a(); if (isForeign) b();", sample)).toThrow("stands 2 times");
  });
});
