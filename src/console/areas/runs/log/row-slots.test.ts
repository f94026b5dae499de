import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RowSlots } from "./row-slots.ts";

describe("the elements of lines", () => {
  it("a line keeps its element while it is drawn, and lines that come take those of lines that went", () => {
    const slots = new RowSlots();
    const before = slots.assign([10, 11, 12], true);
    const after = slots.assign([11, 12, 13], true);
    expect(after.slice(0, 2)).toEqual(before.slice(1));
    expect(after[2]).toBe(before[0]);
    expect([...slots.assign([500, 501, 502], true)].sort()).toEqual([...before].sort());
  });

  it("while somebody selects text, no line gets an element that another line had", () => {
    const slots = new RowSlots();
    const before = slots.assign([10, 11, 12], true);
    const after = slots.assign([11, 12, 13], false);
    expect(after.slice(0, 2)).toEqual(before.slice(1));
    expect(before).not.toContain(after[2]);
  });

  it("no two lines ever share an element", () => {
    const windows = fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 0, max: 40 }), fc.boolean()), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(windows, (moves) => {
        const slots = new RowSlots();
        for (const [first, count, canReuse] of moves) {
          const keys = slots.assign(
            Array.from({ length: count }, (_, at) => first + at),
            canReuse,
          );
          expect(new Set(keys).size).toBe(count);
        }
      }),
    );
  });
});
