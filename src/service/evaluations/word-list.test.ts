import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordPieces } from "./read-conversation.ts";
import { createCodeJudge } from "./verdict.ts";
import { createWordMatcher, readWordList } from "./word-list.ts";

describe("a list of prohibited words", () => {
  it.each([
    ["guarantee, promise; for sure\n- refund", ["guarantee", "promise", "for sure", "refund"]],
    ['Never say "I guarantee it" or “best price”.', ["I guarantee it", "best price"]],
    ["保証", ["保証"]],
    ["The agent never promises anything to anybody.", null],
    ["", null],
    [" , ;\n", null],
    ['""', null],
  ])("is read from %j", (prompt, words) => {
    expect(readWordList(prompt)).toEqual(words);
  });
});

const findWords = (text: string, words: readonly string[], pieces: Iterable<string> = [text]) => {
  const listener = createWordMatcher(words)();
  for (const piece of pieces) listener.hear(piece);
  return [...listener.heard];
};

describe("looking for words", () => {
  it.each([
    ["We GUARANTEE it.", "guarantee", true],
    ["We guaranteed it.", "guarantee", false],
    ["a guar\u00adan\u200btee", "guarantee", true],
    ["cafe\u0301 au lait", "CAFÉ", true],
    ["Das ist STRASSE.", "Straße", true],
    ["for\n  sure!", "for sure", true],
    ["for me it is sure", "for sure", false],
    ["don’t", "don't", true],
    ["ｐｒｏｍｉｓｅ", "promise", true],
    ["全額保証します", "保証", true],
    ["Привет, мир", "МИР", true],
    ["", "promise", false],
  ])("in %j for %j", (text, word, found) => {
    expect(findWords(text, [word])).toEqual(found ? [word] : []);
  });

  it("finds a word wherever it stands, whatever surrounds it", () => {
    const other = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 30 });
    fc.assert(
      fc.property(other, other, fc.constantFrom(" ", "\n", ", ", " — ", "\t"), (before, after, gap) => {
        const text = [...before, "Zürich", ...after].join(gap);
        expect(findWords(text, ["zürich"])).toEqual(["zürich"]);
        expect(findWords([...before, ...after].join(gap), ["zürich"])).toEqual([]);
      }),
    );
  });

  it("finds the same as looking for each word alone, also where words begin, end and hold each other", () => {
    const letter = fc.constantFrom("a", "b", " ", "保");
    const text = fc.string({ unit: letter, maxLength: 40 });
    const words = fc.uniqueArray(fc.string({ unit: letter, minLength: 1, maxLength: 4 }), { maxLength: 12 });
    fc.assert(
      fc.property(text, words, (within, wanted) => {
        const alone = wanted.filter((word) => findWords(within, [word]).length > 0);
        expect(findWords(within, wanted).sort()).toEqual(alone.sort());
        const plain = (given: string) => ` ${given.split(/ +/).filter(Boolean).join(" ")} `;
        const held = wanted.filter((word) => {
          const looked = word.includes("保") ? plain(word).trim() : plain(word);
          return looked.trim() !== "" && plain(within).includes(looked);
        });
        expect(alone.filter((word) => word.trim() !== "").sort()).toEqual(held.sort());
      }),
    );
  });

  it("S-266: finds the same in a text that comes in pieces", () => {
    const unit = fc.constantFrom("a", "b", "Σ", " ", "\n", "\u0301", "\u00b4", "\u00ad", "保", "ﬁ");
    const words = fc.uniqueArray(fc.string({ unit, minLength: 1, maxLength: 5 }), { maxLength: 8 });
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 40 }),
        words,
        fc.integer({ min: 1, max: 9 }),
        (text, wanted, length) => {
          const pieces = [...wordPieces(text, length)];
          expect(pieces.join("")).toBe(text);
          expect(findWords(text, wanted, pieces).sort()).toEqual(findWords(text, wanted).sort());
        },
      ),
    );
  });

  it("S-56: takes little time for hostile text and words", () => {
    const text = `${"a".repeat(2_000_000)} ${"a ".repeat(500_000)}!`;
    const began = process.cpuUsage();
    expect(findWords(text, ["a a a a b", "(b+)+$", `${"a".repeat(70)}b`])).toEqual([]);
    const { user } = process.cpuUsage(began);
    // Milliseconds of the processor, not of the clock: a pattern that backtracks would take hours.
    expect(user / 1_000).toBeLessThan(10_000);
  });

  it("S-56: takes little time for as many lists and as long a conversation as there may be", () => {
    const list = (of: number) => Array.from({ length: 1_400 }, (_, at) => `w${of}x${at}`).join(",");
    const criteria = Array.from({ length: 30 }, (_, of) => {
      return {
        ...{ id: `${of}`, name: "Words", prompt: list(of) },
        ...{ type: "prohibited_words", priority: "needs_review" },
      };
    });
    const said = Array.from({ length: 100 }, (_, number) => {
      return {
        number,
        text: `${"lorem ipsum dolor sit amet ".repeat(400)} w3x7 ${number === 9 ? "w4x1" : ""}`,
      };
    });
    const began = process.cpuUsage();
    const judge = createCodeJudge(criteria);
    for (const { number, text } of said) judge.message(number).hear(text);
    const decided = judge.decided();
    const { user } = process.cpuUsage(began);
    expect(decided.get("4")?.rationale).toBe('The agent said "w4x1" in message 9.');
    expect(decided.get("3")?.rationale).toMatch(/"w3x7" in message 9 and 90 more\.$/);
    expect(decided.get("5")?.result).toBe("success");
    // Milliseconds of the processor: each word looked for in each message took thirty seconds, and nothing else ran meanwhile.
    expect(user / 1_000).toBeLessThan(5_000);
  });
});
