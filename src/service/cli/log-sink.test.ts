import { closeSync, constants, openSync, readFileSync, rmSync, write, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { smallDisk } from "../../testing/small-disk.ts";
import { failingDisk, fillUp, readPipe, unreadPipe } from "../../testing/unread-pipes.ts";
import { until } from "../../testing/until.ts";
import { logSink } from "./log-sink.ts";

const folder = testFolder();
const disk = smallDisk(300_000);
afterAll(() => {
  folder.remove();
  disk?.unmount();
});

const lineOf = (n: number) => `${String(n).padStart(8)} ${"x".repeat(1_014)}\n`;

test("S-335: of what a full pipe does not take 16 MB are kept, which are there once it is read again", async () => {
  const path = folder.in("pipe");
  const pipe = unreadPipe(path);
  pipe.fill();
  const writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const reading = readPipe(path);
  try {
    const sink = logSink(writing);
    // As a service does: what is written in between is tried at once.
    for (let n = 0; n < 40_000; n++) {
      sink.write(lineOf(n));
      if (n % 1_000 === 0) await new Promise(setImmediate);
    }
    await until("most of it is there", () => reading.take().length > 16_000_000);
    sink.write("the last one\n");
    await until("the last one is there", () => reading.take().endsWith("the last one\n"), 10_000);
    const kept = reading.take();
    const lines = kept
      .slice(kept.indexOf(lineOf(0)))
      .split("\n")
      .slice(0, -2);
    expect(lines.findIndex((line, n) => !lineOf(n).startsWith(line))).toBe(-1);
    expect(lines.length).toBe(16 * 1_024);
  } finally {
    for (const fd of [writing, reading.end]) closeSync(fd);
    pipe.close();
  }
});

test.skipIf(disk === null)("S-335: what a full disk has no room for is there once it has some", async () => {
  const [path, ballast] = [join(disk?.path ?? "", "log"), join(disk?.path ?? "", "ballast")];
  writeFileSync(ballast, "");
  const fd = openSync(path, "a");
  const sink = logSink(fd);
  fillUp(openSync(ballast, "a"));
  for (let n = 0; n < 100; n++) sink.write(lineOf(n));
  await expect(appendFile(path, "x")).rejects.toThrow("ENOSPC");
  rmSync(ballast);
  sink.write(lineOf(100));
  const all = Array.from({ length: 101 }, (_, n) => lineOf(n)).join("");
  await until("all of it is there", () => readFileSync(path, "utf8") === all);
  closeSync(fd);
});

// Only Linux has it.
test.skipIf(process.platform !== "linux")(
  "S-340: what a disk that fails does not take ends nothing, and is there once it works again",
  async () => {
    const path = folder.in("repaired");
    const fd = failingDisk();
    const sink = logSink(fd);
    for (let n = 0; n < 100; n++) sink.write(lineOf(n));
    await expect(promisify(write)(fd, "x")).rejects.toThrow("EIO");
    closeSync(fd);
    // The lowest number that is free is given again.
    const opened: number[] = [];
    do opened.push(openSync(path, "a"));
    while (opened.at(-1) !== fd);
    sink.write(lineOf(100));
    const all = Array.from({ length: 101 }, (_, n) => lineOf(n)).join("");
    await until("all of it is there", () => readFileSync(path, "utf8") === all);
    for (const one of opened) closeSync(one);
  },
);
