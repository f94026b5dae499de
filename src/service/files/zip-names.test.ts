import fc from "fast-check";
import { expect, test } from "vitest";
import { zipNames } from "./zip-names.ts";

test("S-30 names in a zip lose their folders and become different where a system takes them for the same", () => {
  expect(
    zipNames([
      "../../etc/passwd",
      "/etc/passwd",
      "C:\\a\\PASSWD",
      "caf\u00e9.txt",
      "cafe\u0301.txt",
      "..",
      "",
      "nul",
      "a\u0000b.txt",
      "x. ",
    ]),
  ).toEqual([
    "passwd",
    "passwd (2)",
    "PASSWD (3)",
    "café.txt",
    "café (2).txt",
    "file",
    "file (2)",
    "_nul",
    "a_b.txt",
    "x",
  ]);
});

test("S-30 names in a zip are safe and unique whatever the files are called", () => {
  const nasty = fc.constantFrom(
    "../",
    "/",
    "\\",
    "\u0000",
    ".",
    " ",
    ":",
    "CON",
    "é",
    "e\u0301",
    "ß",
    "SS",
    "\ud800",
    "a".repeat(300),
    "ı",
    "İ",
    "(2)",
  );
  const name = fc
    .array(fc.oneof(nasty, fc.string({ unit: "binary" })), { maxLength: 6 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 30 }), (names) => {
      const made = zipNames(names);
      expect(made).toHaveLength(names.length);
      for (const entry of made) {
        expect(entry).not.toMatch(/[/\\<>:"|?*]|\p{Cc}|^\.|^\s|\.$|\s$|^$/u);
        expect(Buffer.byteLength(entry)).toBeLessThanOrEqual(220);
        expect(entry).not.toMatch(/\p{Surrogate}/u);
      }
      for (const fold of [(text: string) => text.toLowerCase(), (text: string) => text.toUpperCase()]) {
        expect(new Set(made.map((text) => fold(text.normalize("NFC")))).size).toBe(names.length);
        expect(new Set(made.map((text) => fold(text.normalize("NFD")))).size).toBe(names.length);
      }
    }),
    { numRuns: 200 },
  );
});
