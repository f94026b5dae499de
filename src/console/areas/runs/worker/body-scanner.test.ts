import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BodyScanner, type LineBlock } from "./body-scanner.ts";
import { foldReturns, lineText } from "./held-log.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Scans a text that arrives in pieces of these sizes, over and over. */
function scan(text: string, sizes: readonly number[] = [1 << 20]) {
  const bytes = encoder.encode(text);
  let blocks: LineBlock[] = [];
  const scanner = new BodyScanner({
    begin: () => {
      blocks = [];
    },
    block: (block) => blocks.push(block),
  });
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    scanner.push(bytes.subarray(at, at + size));
    at += size;
  }
  return { rest: () => scanner.rest(), blocks: () => blocks };
}

function literals({ blocks }: { blocks: () => readonly LineBlock[] }): string[] {
  return blocks().flatMap(({ bytes, starts, ends }) =>
    Array.from(starts, (start, i) => decoder.decode(bytes.subarray(start, ends[i]))),
  );
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

describe("a body that arrives in pieces", () => {
  it("gives what JSON.parse gives, however it is cut and whatever is around the log", () => {
    const body = fc.record({
      before: fc.dictionary(fc.string(), fc.jsonValue()),
      log: fc.array(
        fc.string({ unit: fc.constantFrom('"', "\\", "a", "\n", "é", "😀", ",", "]", "}", "\u0000") }),
      ),
      after: fc.dictionary(fc.string(), fc.jsonValue()),
      indent: fc.constantFrom(0, 2),
      sizes,
    });
    fc.assert(
      fc.property(body, ({ before, log, after, indent, sizes: pieces }) => {
        const whole = { ...before, log, ...after };
        const text = JSON.stringify(whole, null, indent);
        const scanner = scan(text, pieces);
        const rest = JSON.parse(scanner.rest());
        if (Array.isArray(whole.log)) {
          expect(literals(scanner).map((one) => JSON.parse(one))).toEqual(JSON.parse(text).log);
          expect(rest).toEqual({ ...JSON.parse(text), log: [] });
        } else {
          expect(rest).toEqual(JSON.parse(text));
        }
      }),
    );
  });

  it("hands lines on while they arrive, and holds no more than a part of them", () => {
    const line = "x".repeat(1_000);
    const log = Array.from({ length: 6_000 }, (_, i) => `${i} ${line}`);
    const text = JSON.stringify({ state: "RUNNING", log, finished_ts: null });
    const cut = scan(text.slice(0, 3_500_000), [60_000]);
    expect(cut.blocks().length).toBeGreaterThan(2);
    const whole = scan(text, [60_000]);
    expect(literals(whole).map((one) => JSON.parse(one))).toEqual(log);
    expect(JSON.parse(whole.rest())).toEqual({ state: "RUNNING", log: [], finished_ts: null });
  });

  it("keeps entries that are no text, as they came", () => {
    const scanner = scan('{"log":["a", 5 ,null,{"x":["]",1]},["b"],true],"state":"DONE"}', [3]);
    expect(literals(scanner).map((one) => one.trim())).toEqual([
      '"a"',
      "5",
      "null",
      '{"x":["]",1]}',
      '["b"]',
      "true",
    ]);
    expect(JSON.parse(scanner.rest())).toEqual({ log: [], state: "DONE" });
  });

  it("takes the last of two logs, and only the one of the run itself", () => {
    const scanner = scan('{"outputs":{"log":["inner"]},"log":["old"],"log":["new"]}', [2]);
    expect(literals(scanner)).toEqual(['"new"']);
    expect(JSON.parse(scanner.rest())).toEqual({ outputs: { log: ["inner"] }, log: [] });
  });

  it("leaves a log that is no list to be judged with the rest", () => {
    expect(JSON.parse(scan('{"log":"text"}').rest())).toEqual({ log: "text" });
  });

  it("C-13: leaves something that is no JSON where the body was cut off", () => {
    const text = '{"run_id":"r","log":["one","two"],"state":"DONE"}';
    for (let end = 1; end < text.length; end += 1) {
      expect(() => JSON.parse(scan(text.slice(0, end), [4]).rest()), text.slice(0, end)).toThrow();
    }
  });

  it("never throws, whatever bytes come", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array(), { maxLength: 5 }), (pieces) => {
        const blocks: LineBlock[] = [];
        const scanner = new BodyScanner({ begin: () => {}, block: (block) => blocks.push(block) });
        for (const piece of pieces) scanner.push(piece);
        scanner.rest();
        for (const one of literals({ blocks: () => blocks })) lineText(encoder.encode(one));
      }),
    );
  });
});

describe("a line", () => {
  it("is shown as it came where it is no text", () => {
    expect(lineText(encoder.encode('{"a":1}'))).toBe('{"a":1}');
    expect(lineText(encoder.encode('"bad \\x escape"'))).toBe("bad \\x escape");
  });

  it("shows the last of its carriage returns behind the same time and node", () => {
    const start = "2026-11-20T08:15:04.123Z [OCR pages] ";
    expect(foldReturns(`${start}10%\r20%\r30%`)).toBe(`${start}30%`);
    expect(foldReturns(`${start}10%\r${start}20%\r`)).toBe(`${start}20%`);
    expect(foldReturns("no time 1%\r2%\r")).toBe("2%");
  });

  it("keeps the other lines of a text of which one was written over", () => {
    const start = "2026-11-20T08:15:04.123Z [OCR pages] ";
    expect(foldReturns("head\n10%\r20%")).toBe("head\n20%");
    expect(foldReturns(`${start}head\r\n10%\r20%\ndone`)).toBe(`${start}head\r\n20%\ndone`);
  });

  it("C-09: is folded at once, however many ends of lines are in it", { timeout: 2_000 }, () => {
    const text = `first${"\r\n".repeat(50_000)}last`;
    expect(foldReturns(`${text}\r\n`)).toBe(text);
  });

  it("does not take the end of a line on Windows for an update", () => {
    expect(foldReturns("first\r\nsecond\r\n")).toBe("first\r\nsecond");
    expect(foldReturns("one line\r")).toBe("one line");
    const start = "2026-11-20T08:15:04.123Z [OCR pages] ";
    expect(foldReturns(`${start}10%\r20%\r\ndone\r\n`)).toBe(`${start}20%\r\ndone`);
  });
});
