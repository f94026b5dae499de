import { describe, expect, it } from "vitest";
import { invalidFileName } from "./arguments.ts";

describe("the name of a file", () => {
  it.each(["", " ", ".", "..", "\u200b", "\u3164\u2800", "\u00a0\ufe0f"])(
    "S-256: has to be one that people can see: %j is none",
    (name) => {
      expect(invalidFileName(name)).toBe("name is empty");
    },
  );

  it.each(["a/b", "a\\b", "a\nb", "ä".repeat(128)])("is fit for a disk, unlike %j", (name) => {
    expect(invalidFileName(name)).toMatch(/must not hold|longer than 255/);
  });

  it.each(["report.md", "\u200breport", "日本.txt"])("may be %j", (name) => {
    expect(invalidFileName(name)).toBeNull();
  });
});
