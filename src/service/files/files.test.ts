import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createSigner } from "../credentials/signer.ts";
import { directoryFileStore } from "./file-store.ts";
import { linkLifetime, openFileLink, signFileLink } from "./signed-link.ts";

const directory = mkdtempSync(join(tmpdir(), "wheelhouse-files-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("the file store", () => {
  const store = directoryFileStore(directory);
  const read = async (id: string, range?: { start: number; end: number }) => {
    const stream = await store.read(id, range);
    return stream === null ? null : await text(stream);
  };

  test("gives back what was written, whole or in part", async () => {
    expect(await store.write("file_one1", "hello, harbor")).toBe(13);
    expect(await store.write("file_two2", Readable.from([Buffer.from("in "), Buffer.from("pieces")]))).toBe(
      9,
    );
    expect(await store.write("file_empty", "")).toBe(0);
    expect(await read("file_one1")).toBe("hello, harbor");
    expect(await read("file_one1", { start: 7, end: 9 })).toBe("har");
    expect(await read("file_two2")).toBe("in pieces");
    expect(await read("file_empty")).toBe("");
    expect(await store.size("file_one1")).toBe(13);
  });

  test("writing again replaces the bytes, so a repeated step does no harm", async () => {
    await store.write("file_again", "first");
    await store.write("file_again", "second");
    expect(await read("file_again")).toBe("second");
  });

  test("a file that is not there is null, and removing it twice is nothing", async () => {
    await store.write("file_gone1", "x");
    await store.remove("file_gone1");
    await store.remove("file_gone1");
    expect(await read("file_gone1")).toBeNull();
    expect(await store.size("file_gone1")).toBeNull();
  });

  test("S-08: a source that breaks leaves neither a file nor rubbish", async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from("half");
        throw new Error("the source broke");
      })(),
    );
    await expect(store.write("file_half1", broken)).rejects.toThrow("the source broke");
    expect(await read("file_half1")).toBeNull();
    const names = readdirSync(directory, { recursive: true }).map(String);
    expect(names.filter((name) => name.includes("half"))).toEqual([]);
  });

  test.each([
    "../../etc/passwd",
    "a/b/c/d/e",
    "short",
    "with space 1",
    "nul\u0000nul\u0000",
    `${"x".repeat(129)}`,
  ])("S-32: %j is no id and never a path", async (id) => {
    await expect((async () => store.read(id))()).rejects.toThrow("A file id");
  });
});

describe("S-35: a signed link", () => {
  const signer = createSigner("s".repeat(40));
  const now = new Date("2026-11-20T08:00:00Z");
  const later = new Date(now.getTime() + linkLifetime * 1000);
  const file = { fileId: "file_abc12345", filename: "bericht für Ada & co.md", mediaType: "text/markdown" };
  const address = signFileLink(signer, "https://wheelhouse.example", file, later).replace(
    "https://wheelhouse.example",
    "",
  );

  test("opens its file until it expires", () => {
    expect(openFileLink(signer, address, now)).toEqual({ type: "file", file });
    expect(openFileLink(signer, address, new Date(later.getTime() + 1000))).toEqual({ type: "expired" });
  });

  test("is refused when any character was changed, added, removed or moved", () => {
    const change = fc.oneof(
      fc.record({ at: fc.nat(address.length - 1), bit: fc.nat(6) }).map(({ at, bit }) => {
        const flipped = String.fromCharCode(address.charCodeAt(at) ^ (1 << bit));
        return address.slice(0, at) + flipped + address.slice(at + 1);
      }),
      fc.nat(address.length).map((at) => address.slice(0, at)),
      fc.record({ at: fc.nat(address.length), text: fc.string({ minLength: 1 }) }).map(({ at, text }) => {
        return address.slice(0, at) + text + address.slice(at);
      }),
      fc.constantFrom(`${address}&x=1`, address.replace("name=", "name=x&name="), encodeURI(address)),
      fc.constant(address.replace(/(expires=)(\d+)/, (_, name, at) => `${name}${Number(at) + 1}`)),
      fc.constant(address.replace(/name=([^&]*)&type=([^&]*)/, "type=$2&name=$1")),
    );
    const runs = process.env.WHEELHOUSE_LONG === "1" ? 10_000 : 1_000;
    fc.assert(
      fc.property(change, (changed) => {
        fc.pre(changed !== address);
        expect(openFileLink(signer, changed, now).type).toBe("forged");
      }),
      { numRuns: runs },
    );
  });

  test("is refused by a service with another secret, and for another purpose", () => {
    expect(openFileLink(createSigner("t".repeat(40)), address, now).type).toBe("forged");
    const cut = address.lastIndexOf("&signature=");
    const other = `${address.slice(0, cut)}&signature=${signer.for("shared link").sign(address.slice(0, cut))}`;
    expect(openFileLink(signer, other, now).type).toBe("forged");
  });
});
