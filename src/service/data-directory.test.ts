import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeDataDirectory } from "./data-directory.ts";

let folder = "";
let data = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wheelhouse-data-"));
  chmodSync(folder, 0o755);
  data = join(folder, "data");
});
afterEach(() => rmSync(folder, { recursive: true }));

const rightsOf = (path: string) => statSync(path).mode & 0o777;
const make = (...names: string[]) => {
  mkdirSync(data);
  chmodSync(data, 0o755);
  for (const name of names) writeFileSync(join(data, name), "");
};

test("S-86 the data directory is made for its owner alone, below folders as open as any", () => {
  const deep = join(folder, "above", "data");
  makeDataDirectory(deep);
  expect(rightsOf(deep)).toBe(0o700);
  expect(rightsOf(join(folder, "above"))).toBe(0o777 & ~process.umask());
  makeDataDirectory(deep);
  expect(rightsOf(deep)).toBe(0o700);
});

test("S-86 one that an earlier release left open is closed", () => {
  make("secret", "wheelhouse.log", "postgres", "files");
  makeDataDirectory(data);
  expect(rightsOf(data)).toBe(0o700);
});

test("S-86 a folder that holds other things too stays as open as somebody made it", () => {
  make("secret", "diary.txt");
  makeDataDirectory(data);
  expect(rightsOf(data)).toBe(0o755);
});

test("S-86 what root has let the database's account pass through stays so", () => {
  make();
  chmodSync(data, 0o710);
  makeDataDirectory(data);
  expect(rightsOf(data)).toBe(0o710);
});
