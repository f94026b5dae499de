import { afterAll, describe, expect, it } from "vitest";
import { hostilePdfs } from "../../testing/hostile-pdf.ts";
import { makePdf, twoColumns } from "../../testing/pdf.ts";
import { documentLimits } from "./document-limits.ts";
import { createDocumentReader } from "./document-reader.ts";
import { detectFileKind } from "./file-kind.ts";

const reader = createDocumentReader();
const small = createDocumentReader({ timeMs: 90_000, memoryMb: 150, pages: 50, characters: 1_000_000 });
const hasty = createDocumentReader({ ...documentLimits, timeMs: 1_500, memoryMb: 1_500 });
afterAll(async () => {
  await reader.close();
  await small.close();
  await hasty.close();
});

const requester = { share: ["team_harbor"] };

/** Reads a file as it would be read when it was sent under that name. */
async function read(name: string, content: string | Uint8Array, by = reader) {
  const bytes = Buffer.from(content);
  const looked = detectFileKind(name, bytes);
  if (looked.type === "refused") return looked.reason;
  const answer = await by.read({ kind: looked.kind, load: async () => bytes }, requester);
  return answer.type === "unreadable" ? answer.reason : answer.pages.map(({ text }) => text).join("\n---\n");
}

const column = (name: string) =>
  Array.from({ length: 40 }, (_, row) => `${name} line ${row} of a text in columns`);

describe("reading a document", () => {
  it("reads a PDF page by page and column by column, compressed or not", async () => {
    const pages = ["First", "Second"].map((name) =>
      twoColumns([column(`${name} left`), column(`${name} right`)], `${name} page`),
    );
    const expected = ["First", "Second"].map((name) => {
      return `${name} page\n\n${[...column(`${name} left`), ...column(`${name} right`)].join(" ")}`;
    });
    expect(await read("two.pdf", makePdf(pages))).toBe(expected.join("\n---\n"));
    expect(await read("two.txt", makePdf(pages, { compress: true }))).toBe(expected.join("\n---\n"));
  });

  it("cuts it into passages apart from the service, which goes on meanwhile", async () => {
    let turns = 0;
    const beat = setInterval(() => turns++, 5);
    const bytes = Buffer.from("# a b\n".repeat(500_000));
    const answer = await reader.cut({ kind: "markdown", load: async () => bytes }, requester);
    clearInterval(beat);
    expect(answer.type === "passages" && answer.passages.length).toBeGreaterThan(10_000);
    expect(answer.type === "passages" && answer.passages[0]?.section).toBe("a b");
    expect(turns).toBeGreaterThan(20);
  });

  it("starts another process where the one before has ended between two files", async () => {
    const one = createDocumentReader();
    expect(await read("a.txt", "First", one)).toBe("First");
    await one.close();
    expect(await read("b.txt", "Second", one)).toBe("Second");
    await one.close();
  });

  it("reads what people see of an HTML page, and nothing else", async () => {
    const html = `<!doctype html><title>No</title><script>alert(1)</script><style>p{}</style>
      <h1>Berths &amp; rates</h1><p>Up to <b>seven</b>
      nights.<br>Then move.</p><table><tr><td>A</td><td>12</td></tr></table><noscript>no</noscript>
      <img src="http://127.0.0.1:1/x.png" alt=""><iframe src="//x"></iframe><p onclick="x()">&lt;b&gt; end`;
    expect(await read("page.html", html)).toBe(
      "# Berths & rates\n\nUp to seven nights.\nThen move.\n\nA 12\n\n<b> end",
    );
  });

  it.each(["notes.md", "notes.txt"])(
    "reads a text that speaks of PDFs as the text that it is: %s",
    async (name) => {
      const text = "A PDF begins with %PDF-1.7 and ends with %%EOF.";
      expect(await read(name, text)).toBe(text);
    },
  );

  it.each([
    ["UTF-8", Buffer.from("Grüße"), "Grüße"],
    ["a mark and UTF-8", Buffer.from("\ufeffGrüße"), "Grüße"],
    ["UTF-16", Buffer.from("\ufeffGrüße", "utf16le"), "Grüße"],
    ["Windows-1252, which is no UTF-8", Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]), "Grüße"],
    ["the signs of Windows-1252", Buffer.from([0x84, 0xfc, 0x93, 0x20, 0x96, 0x20, 0x80]), "„ü“ – €"],
    ["control characters", Buffer.from("a\u0001b\u001bc"), "abc"],
  ])("reads text in %s", async (_, bytes, text) => {
    expect(await read("a.txt", bytes)).toBe(text);
  });
});

describe("a file that cannot be read says why", () => {
  it.each([
    ["nothing", "a.txt", "", /empty/],
    ["white space", "a.md", " \n \n", /no text/],
    ["NUL bytes", "a.txt", "a\u0000b", /NUL/],
    ["a picture called text", "a.md", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), /NUL/],
    ["a text called PDF", "a.pdf", "Hello", /named \.pdf/],
    ["a program", "a.exe", "MZ", /\.exe cannot be read/],
    ["a name of JavaScript's own", "a.constructor", "x", /cannot be read/],
    ["an encrypted PDF", "a.pdf", makePdf([[]], { encrypted: true }), /encrypted/],
    [
      "a PDF that is cut off",
      "a.pdf",
      makePdf([twoColumns([column("a"), column("b")])]).subarray(0, 300),
      /PDF/,
    ],
    ["a PDF of nonsense", "a.pdf", "%PDF-1.7 and then nothing", /damaged/],
    ["a PDF of pictures alone", "a.pdf", makePdf([[], []]), /images/],
  ])("%s", async (_, name, content, why) => {
    expect(await read(name, content)).toMatch(why);
  });

  it("and hostile ones do no harm: deep, endless, or full of marks", async () => {
    expect(await read("deep.html", `${"<div>".repeat(10_000)}the end`)).toBe("the end");
    expect(await read("abyss.html", `${"<b><p>".repeat(500_000)}the end`)).toMatch(/nested too deep/);
    expect(await read("open.html", `${"<p ".repeat(1_000_000)}`)).toMatch(/no text/);
    const entities = await read("marks.html", `${"&amp;".repeat(1_000_000)}${"&".repeat(1_000_000)}x`);
    expect(entities.length).toBe(2_000_001);
    expect((await read("long.txt", "a".repeat(10_000_000))).length).toBe(10_000_000);
  });

  it("S-71: is stopped when it takes too much time or memory, and the next one is read as ever", async () => {
    const slow = hostilePdfs.operators(100);
    expect(await read("slow.pdf", slow, hasty)).toBe("Reading the file takes longer than 1.5 s.");
    expect(await read("good.md", "# Good", hasty)).toBe("# Good");
    const large = hostilePdfs.longString(10);
    expect(await read("large.pdf", large, small)).toBe("Reading the file needs more than 150 MB of memory.");
    expect(await read("good.md", "# Good", small)).toBe("# Good");
  });

  it.each([
    ["packed a million times", hostilePdfs.packedTwice(400), /more than 150 MB of memory/],
    ["more pages than it may have", makePdf(Array(51).fill([])), /51 pages; at most 50 can be read/],
    ["a thousand million pages that are not there", hostilePdfs.pageCount(), /^x$/],
    ["pages that hold themselves", hostilePdfs.pageCycle(), /^x$/],
    ["lists in lists", hostilePdfs.nesting(1), /no text/],
    ["a picture of ten thousand million points", hostilePdfs.picture(), /^beside it$/],
  ])("S-71: a PDF made to hurt fails alone, by the limit that it is over: %s", async (_, pdf, said) => {
    expect(pdf.length).toBeLessThan(20_000);
    expect(await read("hurts.pdf", pdf, small)).toMatch(said);
    expect(await read("good.md", "# Good", small)).toBe("# Good");
  });

  it("S-71: a text that is too long says how long it may be", async () => {
    const long = Buffer.alloc(1_000_001, "a");
    expect(await read("long.txt", long, small)).toBe("The file holds more than 1 million characters.");
  });

  it("S-71 S-259: keeps its own team waiting, without its bytes in memory, and nobody else", async () => {
    const page = twoColumns([column("left"), column("right")]);
    const long = makePdf(Array<typeof page>(4_000).fill(page));
    const stop = new AbortController();
    const over: string[] = [];
    const of = (team: string, bytes: Buffer, kind: "pdf" | "text", signal?: AbortSignal) =>
      reader
        .read({ kind, load: async () => bytes }, { share: [team], signal })
        .finally(() => over.push(team));
    const reading = of("team_a", long, "pdf", stop.signal);
    const loaded: string[] = [];
    const waiting = reader.read(
      {
        kind: "text",
        async load() {
          loaded.push("of team_a");
          return Buffer.from("waits");
        },
      },
      { share: ["team_a"] },
    );
    const behind = of("team_a", Buffer.from("behind it"), "text");
    await expect(of("team_b", Buffer.from("of another team"), "text")).resolves.toMatchObject({
      type: "pages",
    });
    expect(over).toEqual(["team_b"]);
    expect(loaded).toEqual([]);
    stop.abort(new Error("killed"));
    await expect(reading).rejects.toThrow("killed");
    await expect(waiting).resolves.toMatchObject({ type: "pages" });
    await expect(behind).resolves.toMatchObject({ type: "pages" });
  });

  it("is aborted with its execution", async () => {
    const stop = new AbortController();
    const reading = reader.read(
      { kind: "text", load: async () => Buffer.from("x") },
      { share: [], signal: stop.signal },
    );
    stop.abort(new Error("killed"));
    await expect(reading).rejects.toThrow("killed");
    expect(await read("good.md", "# Good")).toBe("# Good");
  });
});
