import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../testing/until.ts";
import { openLog } from "./cli/log.ts";
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
  make("secret", "wheelhouse.log", "postgres", "files", "lost+found");
  makeDataDirectory(data);
  expect(rightsOf(data)).toBe(0o700);
});

test("S-86 a folder that holds other things too stays as open as somebody made it", () => {
  make("secret", "diary.txt");
  makeDataDirectory(data);
  expect(rightsOf(data)).toBe(0o755);
});

test("S-294: the log names what keeps a data directory open to others, and how to close it", async () => {
  make("secret", "wheelhouse.log", "diary.txt");
  /** Lines of a process that opens its log, up to one of the test's own. */
  const logged = async (last: string) => {
    const { log } = openLog({ dataDirectory: data }, true);
    log.info(last);
    const read = () => readFileSync(join(data, "wheelhouse.log"), "utf8");
    await until("it is written", () => read().includes(last));
    return read().trim().split("\n");
  };
  const [line = "", ...others] = await logged("the first");
  expect(JSON.parse(line)).toMatchObject({ level: 40, inTheWay: ["diary.txt"], rights: "755" });
  expect(line).toContain(
    `because it holds what is not Wheelhouse's: diary.txt. Move that away, or run chmod 700 ${data}`,
  );
  expect(others).toHaveLength(1);
  chmodSync(data, 0o700);
  expect(await logged("the second")).toHaveLength(3);
});

test("S-86 what root has let the database's account pass through stays so", () => {
  make();
  chmodSync(data, 0o710);
  makeDataDirectory(data);
  expect(rightsOf(data)).toBe(0o710);
});
