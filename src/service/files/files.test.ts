import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createSigner } from "../credentials/signer.ts";
import { directoryFileStore } from "./file-store.ts";
import { servedType } from "./served-type.ts";
import { type LinkedFile, linkLifetime, openFileLink, signFileLink } from "./signed-link.ts";

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

  test("S-314: a file that cannot be opened is refused at once, and not in the middle of an answer that has begun", async () => {
    await store.write("file_socket", "x");
    await store.remove("file_socket");
    const socket = createServer().listen(join(directory, "et", "file_socket"));
    await once(socket, "listening");
    await expect(store.read("file_socket")).rejects.toMatchObject({ code: "ENXIO" });
    socket.close();
  });

  test("S-314: a source is closed where its file cannot be begun, and one that breaks before that says why", async () => {
    const full = directoryFileStore(join(directory, "et", "not-a-folder"));
    writeFileSync(join(directory, "et", "not-a-folder"), "");
    const source = Readable.from(["x"]);
    await expect(full.write("file_begun", source)).rejects.toThrow();
    expect(source.destroyed).toBe(true);
    const broken = Readable.from(["x"]);
    broken.destroy(new Error("the source broke"));
    await expect(store.write("file_early", broken)).rejects.toThrow("the source broke");
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
  const file: LinkedFile = {
    artifactId: "art_abc12345",
    versionId: "ver_abc12345",
    disposition: "inline",
    holder: { type: "credential", id: "key_abc12345" },
  };
  const addressOf = (linked: LinkedFile, at = now) =>
    signFileLink(signer, "https://wheelhouse.example", linked, at).replace("https://wheelhouse.example", "");
  const address = addressOf(file);
  const opened = (changed: string, method = "GET") => openFileLink(signer, method, changed, now).type;

  test("opens what it was signed for, by whom and how", () => {
    expect(openFileLink(signer, "GET", address, now)).toEqual({ type: "file", file });
    expect(openFileLink(signer, "HEAD", address, now)).toEqual({ type: "file", file });
    const other: LinkedFile = { ...file, disposition: "attachment", holder: { type: "shared", revision: 7 } };
    expect(openFileLink(signer, "GET", addressOf(other), now)).toEqual({ type: "file", file: other });
  });

  test("lives for 10 to 15 minutes, and is the same for a while", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), (second) => {
        const made = new Date(second * 1000);
        const link = addressOf(file, made);
        const at = (seconds: number) =>
          openFileLink(signer, "GET", link, new Date(made.getTime() + seconds * 1000)).type;
        expect([at(0), at(600), at(linkLifetime + 1)]).toEqual(["file", "file", "expired"]);
      }),
    );
    expect(addressOf(file, new Date("2026-11-20T08:04:59Z"))).toBe(address);
  });

  test("names ids alone, and never the file", () => {
    const { pathname, searchParams } = new URL(address, "http://localhost");
    expect(pathname).toBe("/api/v1/files/ver_abc12345");
    const names = ["artifact", "disposition", "credential", "expires", "signature"];
    expect([...searchParams.keys()]).toEqual(names);
  });

  test("is refused for another method", () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "get", "PATCH"])
      expect(opened(address, method), method).toBe("forged");
  });

  test("is refused with any one bit flipped", () => {
    for (let at = 0; at < address.length; at++) {
      for (let bit = 0; bit < 7; bit++) {
        const flipped = String.fromCharCode(address.charCodeAt(at) ^ (1 << bit));
        expect(opened(address.slice(0, at) + flipped + address.slice(at + 1)), `${at} ${bit}`).toBe("forged");
      }
    }
  });

  test("is refused in 10,000 ways of being changed, moved, doubled, re-encoded or prolonged", () => {
    const { searchParams } = new URL(address, "http://localhost");
    const pairs = [...searchParams].map(([name, value]) => `${name}=${value}`);
    const path = "/api/v1/files/ver_abc12345";
    const text = fc.string({ minLength: 1 });
    const change = fc.oneof(
      { arbitrary: fc.record({ at: fc.nat(address.length), text }), weight: 3 },
      fc.nat(address.length - 1).map((at) => address.slice(0, at)),
      fc.nat(address.length - 1).map((at) => {
        const code = address.charCodeAt(at).toString(16).toUpperCase();
        return `${address.slice(0, at)}%${code}${address.slice(at + 1)}`;
      }),
      fc.shuffledSubarray(pairs, { minLength: 0 }).map((some) => `${path}?${some.join("&")}`),
      fc
        .tuple(fc.nat(pairs.length - 1), text)
        .map(([at, more]) => `${address}&${(pairs[at] ?? "").split("=")[0]}=${encodeURIComponent(more)}`),
      fc.integer({ min: 1, max: 1e9 }).map((more) => {
        return address.replace(/(expires=)(\d+)/, (_, name, at) => `${name}${Number(at) + more}`);
      }),
      fc
        .constantFrom("art_other000", "ver_other000", "key_other000", "attachment")
        .map((id) => address.replace(/art_abc12345|ver_abc12345|key_abc12345|inline/, id)),
      fc.constantFrom(encodeURI(`${address}ü`), encodeURIComponent(address), address.toUpperCase()),
    );
    let tried = 0;
    fc.assert(
      fc.property(change, (made) => {
        const changed =
          typeof made === "string" ? made : address.slice(0, made.at) + made.text + address.slice(made.at);
        fc.pre(changed !== address);
        tried++;
        expect(opened(changed)).toBe("forged");
      }),
      { numRuns: 10_000 },
    );
    expect(tried).toBeGreaterThanOrEqual(10_000);
  });

  test("is refused by a service with another secret, and for another purpose", () => {
    expect(openFileLink(createSigner("t".repeat(40)), "GET", address, now).type).toBe("forged");
    const cut = address.lastIndexOf("&signature=");
    const signed = address.slice(0, cut);
    const other = signer.for("shared link").sign(`GET ${signed}`);
    expect(opened(`${signed}&signature=${other}`)).toBe("forged");
  });
});

describe("the type that a file goes out as", () => {
  test.each([
    ["text/markdown", "text/markdown; charset=utf-8", true],
    ["text/html; charset=utf-16", "text/html; charset=utf-16", true],
    ["Image/PNG", "image/png", true],
    ["application/pdf", "application/pdf", true],
    ["application/geo+json", "application/geo+json", true],
    ["application/zip", "application/zip", false],
    ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", null, false],
    ["application/x-msdownload", "application/x-msdownload", false],
    // What a page of ours could be made to run or wear.
    ["text/javascript", "text/plain; charset=utf-8", true],
    ["application/javascript; charset=utf-8", "text/plain; charset=utf-8", true],
    ["application/x-javascript", "text/plain; charset=utf-8", true],
    ["text/css", "text/plain; charset=utf-8", true],
    ["application/wasm", "text/plain; charset=utf-8", true],
    // S-32
    ["text/html\r\nset-cookie: x", "application/octet-stream", false],
    ["", "application/octet-stream", false],
    ["text", "application/octet-stream", false],
  ])("S-32: %j", (mediaType, contentType, inline) => {
    expect(servedType(mediaType)).toEqual({ contentType: contentType ?? mediaType, inline });
  });
});
