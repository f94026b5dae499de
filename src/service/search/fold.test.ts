import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { fold } from "./fold.ts";
import { matchesIn } from "./matches.ts";

/** The same said plainly: each cluster by itself, and each character with where its cluster stands. */
function foldPlainly(given: string) {
  const [starts, ends]: [number[], number[]] = [[], []];
  let text = "";
  for (const { 0: cluster, index } of given.matchAll(/[\u1100-\u11FF]+\p{M}*|\P{M}\p{M}*|\p{M}+/gu)) {
    let folded = "";
    for (const letter of cluster.normalize("NFC")) folded += letter.toLowerCase().toUpperCase().toLowerCase();
    folded = folded.normalize("NFC").replaceAll("i\u0307", "i");
    text += folded;
    for (let at = 0; at < folded.length; at += 1) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
  }
  return {
    text,
    from: (place: number) => starts[place] ?? given.length,
    to: (place: number) => ends[place - 1] ?? 0,
  };
}

const parts = [
  ...[
    "a",
    "B",
    " ",
    "\u00e4",
    "\u00c4",
    "a\u0301",
    "\u00df",
    "\u017f",
    "\u03a3",
    "\u03c2",
    "\u0130",
    "i\u0307",
    "\u0131",
  ],
  ...[
    "\u0416",
    "\u1100\u1161\u11a8",
    "\uac01",
    "\u5b57",
    "\u3099",
    "\u{1F600}",
    "\ud83d",
    "\u{1D15E}",
    "\u{1D165}",
    "\u0301",
    "\ufb01",
  ],
];

it("a long text is folded as its parts are, and each place of it is found again", () => {
  // The same for the same seed.
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < 15; round += 1) {
    const few = parts.filter(() => random(3) === 0);
    const length = random(12_000);
    let given = "x";
    while (given.length < length) given += few[random(few.length)] ?? "y";
    const [folded, plainly] = [fold(given), foldPlainly(given)];
    expect(folded.text).toBe(plainly.text);
    const places = Array.from({ length: 50 }, () => random(folded.text.length + 1));
    for (const place of [0, folded.text.length, ...places])
      expect([folded.from(place), folded.to(place)]).toEqual([plainly.from(place), plainly.to(place)]);
  }
});

it.each([
  ["Cyrillic", "\u0436\u0443\u043a "],
  ["letters with marks", "a\u0301"],
  ["marks alone", "\u0301"],
  ["parts of syllables", "\u1100"],
])("S-347: while a million characters of %s are looked through, all else has its turn", async (_, part) => {
  const text = `${part.repeat(1_000_000 / part.length)} quay`;
  let turns = 0;
  let isOver = false;
  const looking = matchesIn([{ in: "name", text }], "quay").finally(() => {
    isOver = true;
  });
  while (!isOver) {
    turns += 1;
    await setImmediate();
  }
  expect((await looking).places.map(({ match }) => match)).toEqual(["quay"]);
  expect(turns).toBeGreaterThan(4);
});
