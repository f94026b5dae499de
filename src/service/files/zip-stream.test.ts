import { Readable } from "node:stream";
import { expect, it } from "vitest";
import type { FileStore } from "./file-store.ts";
import { zipStream } from "./zip-stream.ts";

/** Gives half of each file, and breaks off. */
const breaking = (error: Error): Pick<FileStore, "read"> => ({
  read: async () =>
    Readable.from(
      (async function* () {
        yield Buffer.from("the first half");
        throw error;
      })(),
      { objectMode: false },
    ),
});

it("S-193: a file that breaks off in the middle of a zip ends that zip with why, and nothing else", async () => {
  const error = new Error("the object store is away");
  const sources = ["a.txt", "b.txt"].map((name) => ({ name, fileId: name, modifiedAt: new Date(0) }));
  const zip = zipStream(breaking(error) as FileStore, sources, new AbortController().signal);
  await expect(zip.toArray()).rejects.toBe(error);
  expect(zip.destroyed).toBe(true);
});
