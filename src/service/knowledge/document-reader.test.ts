import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { makePdf, twoColumns } from "../../testing/pdf.ts";
import { createDocumentReader } from "./document-reader.ts";
import { detectFileKind } from "./file-kind.ts";

const reader = createDocumentReader();
/** With the time in which a thread starts on a slow machine, too. */
const small = createDocumentReader({ timeMs: 90_000, memoryMb: 150 });
const hasty = createDocumentReader({ timeMs: 1_500, memoryMb: 1_500 });
afterAll(async () => {
  await reader.close();
  await small.close();
  await hasty.close();
});

const never = new AbortController().signal;

/** Reads a file as it would be read when it was sent under that name. */
async function read(name: string, content: string | Uint8Array, by = reader) {
  const bytes = Buffer.from(content);
  const looked = detectFileKind(name, bytes);
  if (looked.type === "refused") return looked.reason;
  const answer = await by.read({ kind: looked.kind, bytes }, never);
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
    const answer = await reader.cut({ kind: "markdown", bytes }, never);
    clearInterval(beat);
    expect(answer.type === "passages" && answer.passages.length).toBeGreaterThan(10_000);
    expect(answer.type === "passages" && answer.passages[0]?.section).toBe("a b");
    expect(turns).toBeGreaterThan(20);
  });

  it("starts another thread where the one before has ended between two files", async () => {
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

  it.each([
    ["UTF-8", Buffer.from("Grüße"), "Grüße"],
    ["a mark and UTF-8", Buffer.from("\ufeffGrüße"), "Grüße"],
    ["UTF-16", Buffer.from("\ufeffGrüße", "utf16le"), "Grüße"],
    ["Windows-1252, which is no UTF-8", Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]), "Grüße"],
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

  it("is stopped when it takes too much time or memory, and the next one is read as ever", async () => {
    // 30 kB that become 30 MB of operators, on each of many pages.
    const bomb = deflateSync(Buffer.alloc(60_000_000, "0 0 m "));
    const pdf = makePdf([[{ x: 0, y: 0, text: "x" }]]).toString("latin1");
    const [head = "", tail = ""] = pdf.split(/<< \/Length \d+ >>\nstream\n.*\nendstream/s);
    const content = `<< /Length ${bomb.length} /Filter /FlateDecode >>\nstream\n${bomb.toString("latin1")}\nendstream`;
    const file = Buffer.from(head + content + tail, "latin1");
    expect(await read("bomb.pdf", file, hasty)).toMatch(/takes longer|memory/);
    expect(await read("bomb.pdf", file, small)).toMatch(/memory/);
    expect(await read("good.md", "# Good", small)).toBe("# Good");
  });

  it("is aborted with its execution", async () => {
    const stop = new AbortController();
    const reading = reader.read({ kind: "text", bytes: Buffer.from("x") }, stop.signal);
    stop.abort(new Error("killed"));
    await expect(reading).rejects.toThrow("killed");
    expect(await read("good.md", "# Good")).toBe("# Good");
  });
});
