import { expect, it, vi } from "vitest";
import { logKeys } from "./log-keys.ts";

/** The keys of a log that has nothing but ends to go to and hits to step through. */
function keysOf(hasLetters: boolean) {
  const went: string[] = [];
  const lines = {
    toStart: () => went.push("start"),
    toEnd: () => went.push("end"),
    top: () => 1,
    show: vi.fn(),
  };
  const press = logKeys({
    view: { count: 0, rowOf: () => -1, lineAt: () => 0 },
    length: 0,
    selection: { head: undefined, range: undefined, moveTo: vi.fn(), selectAll: vi.fn(), clear: vi.fn() },
    search: { go: (by) => went.push(`hit ${by}`) },
    lines: { current: lines },
    hasLetters,
    onFollow: vi.fn(),
  });
  const held = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
  const list = {};
  return (key: string) => {
    press({ key, ...held, target: list, currentTarget: list, preventDefault: vi.fn() });
    return went.splice(0);
  };
}

it("goes to the ends and the hits by letters, and by Home and End alone where single keys are off", () => {
  const on = keysOf(true);
  expect(["g", "G", "n", "N"].map(on)).toEqual([["start"], ["end"], ["hit 1"], ["hit -1"]]);
  const off = keysOf(false);
  expect(["g", "G", "n", "N", "j", "k"].flatMap(off)).toEqual([]);
  expect(["Home", "End"].map(off)).toEqual([["start"], ["end"]]);
});
