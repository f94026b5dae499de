import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexedText, joinLines, normalText, shownText } from "./normal-text.ts";
import { pageText, type TextItem } from "./page-text.ts";
import { cutPassages } from "./passages.ts";

const letters = (text: string) => shownText(text).replaceAll(/\s+/g, "");
const onePage = (text: string) => [{ page: null, text: normalText(text) }];

describe("cutting a document into passages", () => {
  const word = fc.oneof(
    fc.stringMatching(/^[a-z]{1,12}[.!?,]?$/),
    fc.constantFrom("# Heading", "\n", "\n\n", "\n## Other\n", "保証。", "🦆", "har-\nbour", "…", "»end.«"),
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.nat(3_000).map((length) => "x".repeat(length)),
    fc.nat(3_000).map((length) => " ".repeat(length)),
  );
  const anyText = fc.array(word, { maxLength: 400 }).map((words) => words.join(" "));

  it("loses nothing and keeps the order, page by page, and no passage is too long", () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), (texts) => {
        const pages = texts.map((text, index) => ({ page: index + 1, text: normalText(text) }));
        const passages = cutPassages(pages);
        const own = passages.filter(({ page, pageEnd }) => page === pageEnd);
        for (const { page, text } of pages) {
          const of = own.filter((passage) => passage.page === page);
          expect(of.map(({ content }) => letters(content)).join("")).toBe(letters(text));
        }
        const order = passages.map(({ page }) => page ?? 0);
        expect(order).toEqual([...order].sort((a, b) => a - b));
        for (const { content, page, pageEnd } of passages) {
          expect(content).not.toBe("");
          expect(content.length).toBeLessThanOrEqual(page === pageEnd ? 1_400 : 2_000);
          expect(content).not.toMatch(/\p{Surrogate}/u);
        }
      }),
    );
  });

  it.each([
    ["spaces", " "],
    ["line breaks", "\n"],
    ["a word without end", "a"],
    ["a sign that ends sentences", "."],
    ["signs of headings", "#"],
    ["headings", "# \n"],
    ["broken words", "a-\n"],
    ["soft hyphens", "\u00ad"],
    ["half paragraphs", "a \n \n"],
  ])("S-56: takes time in proportion to what is hostile: 3 MB of %s", (_, part) => {
    const began = process.cpuUsage();
    const text = joinLines(normalText(part.repeat(3_000_000 / part.length)));
    cutPassages([{ page: null, text }]);
    // Of the processor, not of the clock, in microseconds: whatever looks back at each letter takes hours.
    expect(process.cpuUsage(began).user).toBeLessThan(15_000_000);
  });

  it("S-56: takes time in proportion to the longest file, though it holds no space", () => {
    const began = process.cpuUsage();
    expect(cutPassages([{ page: null, text: "x".repeat(20_000_000) }])).toHaveLength(25_000);
    // Looking for a space through all that was before took a minute.
    expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
  });

  it("S-371: makes nothing of millions of blanks between two words", () => {
    const passages = cutPassages(onePage(`before${" ".repeat(8_000_000)}after`));
    expect(passages.map(({ content }) => content)).toEqual(["before after"]);
  });

  it.each([
    ["blanks behind a sentence for which a passage has no more room", `${"x".repeat(1_398)}. \n\n`, 1],
    ["soft hyphens behind it", `${"x".repeat(1_390)}. ${"\u00ad\n".repeat(20)}`, 1],
    ["a page of soft hyphens", "\u00ad".repeat(3_000), 0],
  ])("S-383: makes no passage of %s", (_, text, count) => {
    const passages = cutPassages(onePage(text));
    expect(passages.map(({ content }) => content.length > 0)).toEqual(Array(count).fill(true));
  });

  it("names the heading above, and begins anew at one", () => {
    const filler = "This is a sentence of a paragraph. ".repeat(8);
    const passages = cutPassages(onePage(`# Berths\n\n${filler}\n\n## Winter storage\n${filler}`));
    expect(passages.map(({ section }) => section)).toEqual(["Berths", "Winter storage"]);
    expect(passages[1]?.content).toMatch(/^## Winter storage\nThis is/);
  });

  it("keeps a sentence whole that runs on to the next page, as a passage of both pages", () => {
    const pages = [
      { page: 57, text: normalText("It is so. The northern basin holds boats of up to") },
      { page: 58, text: normalText("nine metres in winter. The rest is on land.") },
    ];
    const bridge = cutPassages(pages).find(({ pageEnd, page }) => pageEnd !== page);
    expect(bridge).toMatchObject({ page: 57, pageEnd: 58 });
    expect(bridge?.content).toContain("boats of up to nine metres in winter");
  });
});

describe("a word that is broken over a line end", () => {
  it("is shown whole, and indexed with and without its hyphen", () => {
    const text = joinLines(normalText("the har-\nbour is a well-\nknown place\nfor Jean-\nLuc"));
    expect(shownText(text)).toBe("the harbour is a wellknown place for Jean- Luc");
    expect(indexedText(text)).toMatch(/harbour.*har-bour.*well-known/s);
    expect(indexedText("nothing broken, a well-known place")).toBeNull();
  });
});

describe("the text of a page", () => {
  const line = (text: string, x: number, y: number): TextItem => ({
    text,
    x,
    y,
    width: text.length * 5,
    size: 10,
  });
  const column = (name: string, x: number, from = 700, count = 12) =>
    Array.from({ length: count }, (_, index) =>
      line(`${name} ${index} of this column here`, x, from - index * 12),
    );
  const expected = (name: string, count = 12) =>
    Array.from({ length: count }, (_, index) => `${name} ${index} of this column here`).join("\n");

  it("is read column by column, however it was drawn", () => {
    const items = [...column("Left", 50), ...column("Right", 320)];
    const shuffled = fc.sample(fc.shuffledSubarray(items, { minLength: items.length }), 5);
    for (const drawn of shuffled) expect(pageText(drawn)).toBe(`${expected("Left")}\n${expected("Right")}`);
  });

  it("is read above and below what runs across, and in three columns", () => {
    const items = [
      line("A heading that runs across the whole page and everything", 50, 740),
      ...column("Left", 50),
      ...column("Right", 320),
      line("Another heading that runs across the whole page and so on", 50, 520),
      ...column("Third", 50, 480),
      ...column("Fourth", 320, 480),
    ];
    expect(pageText(items).split("\n\n")).toEqual([
      "A heading that runs across the whole page and everything",
      `${expected("Left")}\n${expected("Right")}`,
      "Another heading that runs across the whole page and so on",
      `${expected("Third")}\n${expected("Fourth")}`,
    ]);
    const three = [...column("One", 20), ...column("Two", 210), ...column("Three", 400)];
    expect(pageText(three)).toBe(["One", "Two", "Three"].map((name) => expected(name)).join("\n"));
  });

  it("of one column, or of a table of short cells, is read line by line", () => {
    expect(pageText(column("Only", 50))).toBe(expected("Only"));
    const cells = Array.from({ length: 6 }, (_, row) => [
      line(`r${row}`, 50, 700 - row * 12),
      line("12", 300, 700 - row * 12),
    ]);
    expect(pageText(cells.flat())).toBe("r0 12\nr1 12\nr2 12\nr3 12\nr4 12\nr5 12");
  });

  it("puts words together that were drawn apart, and parts paragraphs", () => {
    const items = [
      line("Two", 50, 700),
      line("words", 68, 700),
      line("Next", 50, 688),
      line("Below", 50, 640),
      line("it", 50, 628),
    ];
    expect(pageText(items)).toBe("Two words\nNext\n\nBelow\nit");
  });
});
