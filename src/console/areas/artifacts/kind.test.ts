import { describe, expect, it } from "vitest";
import { type Kind, kindOf, typeWord } from "./kind.ts";

const cases: readonly (readonly [filename: string | null, mediaType: string | null, kind: Kind])[] = [
  ["notes.md", "text/markdown", "markdown"],
  ["notes.md", "text/plain; charset=utf-8", "markdown"],
  ["rates.csv", null, "csv"],
  ["rates.tsv", "text/tab-separated-values", "csv"],
  ["book.xlsx", "application/octet-stream", "xlsx"],
  ["a.json", "application/geo+json", "json"],
  ["drawing", "image/svg+xml", "svg"],
  ["photo.PNG", null, "image"],
  ["photo.heic", "image/heic", "none"],
  ["letter.pdf", "text/plain", "pdf"],
  ["page.html", "text/html", "html"],
  ["page.html", "text/plain", "text"],
  ["talk.mp3", "audio/mpeg", "audio"],
  ["film.mp4", "video/mp4", "video"],
  ["main.rs", "text/plain", "code"],
  ["Dockerfile", null, "code"],
  ["archive.zip", "application/zip", "none"],
  ["scan_0146b", null, "none"],
  [null, null, "none"],
  ["constructor", null, "none"],
  ["x.__proto__", null, "none"],
];

describe("how a file is looked at", () => {
  it.each(cases)("C-10: %s as %s is looked at as %s", (filename, mediaType, kind) => {
    expect(kindOf(filename, mediaType)).toBe(kind);
  });

  it("C-08: goes by the ending that is stored, not by the one that is read after a turned direction", () => {
    expect(kindOf("holiday-\u202Egpj.exe", null)).toBe("none");
    expect(kindOf("holiday\u202E.png", null)).toBe("image");
  });

  it("has one word for each, and says where nothing was given", () => {
    expect(typeWord("scan_0146b", null)).toBe("unknown");
    expect(typeWord("a.zip", null)).toBe("archive");
    expect(typeWord("a.docx", null)).toBe("document");
    expect(typeWord("a.bin", "application/x-thing")).toBe("other");
    expect(typeWord("a.csv", null)).toBe("table");
    expect(typeWord("report.pdf", "text/plain")).toBe("text");
    expect(typeWord("report.pdf", "application/pdf")).toBe("PDF");
  });
});
