import fc from "fast-check";
import { expect, test } from "vitest";
import { holdsText } from "./text-search.ts";

test("S-398: what is looked for in time that grows with both texts is found where it is, and nowhere else", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  // Both are long enough for the search of our own.
  const text = fc.tuple(letters, letters).map(([one, two]) => one.repeat(2_000) + two.repeat(2_000));
  fc.assert(
    fc.property(text, letters, letters, (within, one, two) => {
      for (const sought of [one.repeat(3_000) + two, one.repeat(1_999) + two.repeat(1_500)])
        expect(holdsText(within, sought)).toBe(within.includes(sought));
    }),
    { numRuns: 60 },
  );
});
