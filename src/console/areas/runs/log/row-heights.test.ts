import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RowHeights } from "./log-window.ts";

const rows = fc.array(fc.tuple(fc.nat(2_000), fc.integer({ min: 1, max: 400 })), { maxLength: 60 });

describe("heights of rows", () => {
  it("are what adding up all of them gives, and a place leads back to its row", () => {
    fc.assert(
      fc.property(rows, fc.nat(1_999), (measured, row) => {
        const heights = new RowHeights(20);
        const plain = new Map<number, number>();
        for (const [at, height] of measured) {
          heights.set(at, height);
          plain.set(at, height);
        }
        let sum = 0;
        for (let at = 0; at < row; at += 1) sum += plain.get(at) ?? 20;
        expect(heights.offsetOf(row)).toBe(sum);
        expect(heights.rowAt(sum, 2_001)).toEqual({ row, into: 0 });
      }),
    );
  });
});
