import fc from "fast-check";
import { expect, test } from "vitest";
import { createSealer } from "./sealer.ts";
import { createSigner } from "./signer.ts";

const key = (secret: string) => createSigner(secret.padEnd(32, ".")).derive("mcp");
const sealer = createSealer(key("one"));

test("what was sealed opens with the same key at the same place, and shows nothing meanwhile", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, place) => {
      const box = sealer.seal(text, place);
      expect(createSealer(key("one")).open(box, place)).toBe(Buffer.from(text).toString());
      expect(box).not.toBe(sealer.seal(text, place));
    }),
  );
  expect(sealer.seal("canary-token", "row")).not.toContain("canary");
});

test("S-50: a box of another key or place, or one that was touched, does not open", () => {
  const box = sealer.seal("token", "row 1");
  expect(sealer.open(box, "row 2")).toBeNull();
  expect(createSealer(key("two")).open(box, "row 1")).toBeNull();
  for (let at = 0; at < box.length; at++) {
    const other = box[at] === "A" ? "Q" : "A";
    const opened = sealer.open(box.slice(0, at) + other + box.slice(at + 1), "row 1");
    // The last character of base64 may hold bits that mean nothing.
    if (opened !== null) expect(opened).toBe("token");
  }
  for (const junk of ["", "....", "a.b.c.d", box.slice(0, -2)]) expect(sealer.open(junk, "row 1")).toBeNull();
});
