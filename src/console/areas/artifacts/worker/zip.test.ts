import { Blob as WholeBlob } from "node:buffer";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { storedZip } from "../../../../testing/core-only/zip.ts";
import { packedBytes, readZip, unpackedBytes, writeZip, ZipError } from "./zip.ts";

// The one of jsdom can neither be read nor streamed.
vi.stubGlobal("Blob", WholeBlob);

const blobOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]);

/** One deflated file, as services send them. */
async function deflatedZip(name: string, text: string): Promise<Blob> {
  const bytes = new TextEncoder().encode(text);
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = await new Response(stream).blob();
  const facts = { name, method: 8, crc: crc32(bytes), packedSize: packed.size, size: bytes.length };
  return writeZip([{ ...facts, time: 0, date: 0x21, packed }]);
}

describe("zip archives", () => {
  it("are read and written without a difference", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.string({ minLength: 1, maxLength: 40 }), text: fc.string() }), {
          maxLength: 6,
        }),
        async (files) => {
          const zip = blobOf(storedZip(files));
          const entries = await readZip(zip);
          const again = writeZip(
            await Promise.all(
              entries.map(async (entry) => ({ ...entry, packed: await packedBytes(zip, entry) })),
            ),
          );
          const read = await readZip(again);
          expect(read.map(({ name }) => name)).toEqual(
            files.map(({ name }) => new TextDecoder().decode(new TextEncoder().encode(name))),
          );
          for (const [at, entry] of read.entries()) {
            const text = await (await unpackedBytes(again, entry, 1_000_000)).text();
            expect(text).toBe(new TextDecoder().decode(new TextEncoder().encode(files[at]?.text)));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("C-10: stop unpacking at a limit, whatever the directory says", async () => {
    const zip = await deflatedZip("zeros.xml", "0".repeat(5_000_000));
    const [entry] = await readZip(zip);
    if (!entry) throw new Error("no entry");
    await expect(unpackedBytes(zip, { ...entry, size: 10 }, 100_000)).rejects.toMatchObject({
      kind: "too big",
    });
    expect((await unpackedBytes(zip, entry, 6_000_000)).size).toBe(5_000_000);
  });

  it("C-10: never take anything else for an archive", async () => {
    const good = storedZip([{ name: "a", text: "aaaa" }]);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), async (at, value, end) => {
        const bytes = new Uint8Array(good);
        bytes[at] = value;
        const zip = blobOf(bytes.slice(0, end));
        try {
          for (const entry of await readZip(zip)) await unpackedBytes(zip, entry, 1_000);
        } catch (error) {
          expect(error).toBeInstanceOf(ZipError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
