import { describe, expect, it } from "vitest";
import { aCall, anAnswer, aQuestion } from "../../../../testing/conversations.ts";
import { partsOfFile } from "./useVersions.ts";

const file = (filename: string, url: string) => ({
  type: "file" as const,
  file: { filename, media_type: "text/markdown", artifact_url: url },
});

describe("versions of a file in a conversation", () => {
  it("are its file parts of that name, in order, with the size that was written", () => {
    const messages = [
      aQuestion("write"),
      anAnswer([
        aCall("write_file", "completed", {}, { name: "a.md", size: 3 }),
        file("a.md", "/1"),
        file("b.md", "/b"),
      ]),
      aQuestion("again"),
      anAnswer([aCall("write_file", "completed", {}, { name: "a.md", size: 9 }), file("a.md", "/2")]),
    ];
    expect(partsOfFile(messages, "a.md").map(({ url, size }) => [url, size])).toEqual([
      ["/1", 3],
      ["/2", 9],
    ]);
  });

  it("C-01: are still found among parts that make no sense", () => {
    const odd = [
      null,
      { parts: null },
      { parts: [null, { type: "file" }, { type: "file", file: null }, file("a.md", "")] },
    ];
    expect(partsOfFile(odd as Parameters<typeof partsOfFile>[0], "a.md")).toMatchObject([
      { url: null, size: null },
    ]);
  });
});
