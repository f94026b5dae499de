import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { FileStore } from "../service/files/file-store.ts";

const never = new Date(8.64e15);
const long = 40_000_000;

/** What every file store does, whatever it keeps its bytes in. @param open gives the same place each time */
export function fileStoreSuite(open: () => FileStore): void {
  const read = async (id: string, range?: { start: number; end: number }) => {
    const stream = await open().read(id, range);
    return stream === null ? null : await text(stream);
  };
  const ids = async () => {
    const found: string[] = [];
    for await (const id of open().writtenBefore(never)) found.push(id);
    return found.sort();
  };

  test("is empty at first, can be made ready, and is empty then as well", async () => {
    expect(await open().contents()).toEqual([]);
    await open().check();
    await open().check();
    expect(await open().contents()).toEqual([]);
  });

  test("gives back what was written, whole or in part", async () => {
    const store = open();
    expect(await store.write("file_one1", "hello, harbor ⚓")).toBe(17);
    expect(await store.write("file_two2", Readable.from([Buffer.from("in "), Buffer.from("pieces")]))).toBe(
      9,
    );
    expect(await store.write("file_empty", "")).toBe(0);
    expect(await store.write("file_none1", Readable.from([], { objectMode: false }))).toBe(0);
    expect(await read("file_one1")).toBe("hello, harbor ⚓");
    expect(await read("file_one1", { start: 7, end: 9 })).toBe("har");
    expect(await read("file_one1", { start: 7, end: 900 })).toBe("harbor ⚓");
    expect(await read("file_two2")).toBe("in pieces");
    expect([await read("file_empty"), await read("file_none1")]).toEqual(["", ""]);
    expect([await store.size("file_one1"), await store.size("file_empty")]).toEqual([17, 0]);
  });

  test("takes what is longer than memory should hold, and gives any part of it", async () => {
    const bytes = randomBytes(long);
    const pieces = function* () {
      for (let at = 0; at < long; at += 300_001) yield bytes.subarray(at, at + 300_001);
    };
    expect(await open().write("file_long1", Readable.from(pieces(), { objectMode: false }))).toBe(long);
    expect(await open().size("file_long1")).toBe(long);
    const stream = await open().read("file_long1");
    expect(stream !== null && bytes.equals(await buffer(stream))).toBe(true);
    const range = { start: 16_777_200, end: 33_554_500 };
    const part = await open().read("file_long1", range);
    expect(part !== null && bytes.subarray(range.start, range.end + 1).equals(await buffer(part))).toBe(true);
    expect(await open().removeCutOff(never)).toBe(0);
  });

  test("writing again replaces the bytes, so a repeated step does no harm", async () => {
    await open().write("file_again", "first, and longer");
    await open().write("file_again", "second");
    expect(await read("file_again")).toBe("second");
  });

  test("a file that is not there is null, and removing it twice is nothing", async () => {
    await open().write("file_gone1", "x");
    await open().remove("file_gone1");
    await open().remove("file_gone1");
    expect(await read("file_gone1")).toBeNull();
    expect(await open().size("file_gone1")).toBeNull();
  });

  test.each([5, long])(
    "S-08: a source that breaks after %d bytes leaves neither a file nor rubbish",
    async (after) => {
      const broken = Readable.from(
        (async function* () {
          for (let given = 0; given < after; given += 1_000_000)
            yield Buffer.alloc(Math.min(1_000_000, after - given));
          throw new Error("the source broke");
        })(),
      );
      await expect(open().write("file_half1", broken)).rejects.toThrow("the source broke");
      expect(await read("file_half1")).toBeNull();
      expect(await open().removeCutOff(never)).toBe(0);
    },
  );

  test("a reader who leaves in the middle holds nothing up", async () => {
    for (let round = 0; round < 5; round++) {
      const stream = await open().read("file_long1");
      for await (const _ of stream ?? []) break;
      expect(stream?.destroyed).toBe(true);
    }
    // Nor one who never begins.
    const unread = await open().read("file_long1");
    unread?.destroy();
    expect(await open().size("file_long1")).toBe(long);
  });

  test("lists its files over many pages, and none that was written later", async () => {
    for (let n = 0; n < 8; n++) await open().write(`file_page${n}`, String(n));
    const found = await ids();
    expect(found.filter((id) => id.startsWith("file_page"))).toHaveLength(8);
    expect(found).toEqual([...new Set(found)]);
    for await (const id of open().writtenBefore(new Date(Date.now() - 86_400_000))) expect(id).toBe("none");
  });

  test("S-258: says the time of what it writes, and leaves nothing of having looked", async () => {
    await open().write("file_dated1", "now");
    const now = (await open().now()).getTime();
    const written = async (then: number) => {
      for await (const id of open().writtenBefore(new Date(then))) if (id === "file_dated1") return true;
      return false;
    };
    // To the second, as dates of answers are.
    expect([await written(now - 60_000), await written(now + 60_000)]).toEqual([false, true]);
    await open().remove("file_dated1");
    expect(await open().removeCutOff(never)).toBe(0);
  });

  test("knows who wrote, and the mark, which are no files", async () => {
    const before = await ids();
    expect([await open().writers(), await open().readMark()]).toEqual([[], null]);
    await open().addWriter("harbor1");
    await open().addWriter("harbor1");
    await open().writeMark("name token");
    await open().writeMark("name other");
    expect([await open().writers(), await open().readMark()]).toEqual([["harbor1"], "name other"]);
    expect(await ids()).toEqual(before);
  });

  test.each([
    "../../etc/passwd",
    "a/b/c/d/e",
    "short",
    "with space 1",
    "nul\u0000nul\u0000",
    `${"x".repeat(129)}`,
  ])("S-32: %j is no id and never a path", async (id) => {
    await expect((async () => open().read(id))()).rejects.toThrow("A file id");
    await expect((async () => open().write(id, "x"))()).rejects.toThrow("A file id");
  });

  test("says what lies there, and can be emptied", async () => {
    expect((await open().contents()).length).toBeGreaterThan(0);
    await open().clear();
    expect(await open().contents()).toEqual([]);
  });
}
