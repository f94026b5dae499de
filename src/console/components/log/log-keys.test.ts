import type { KeyboardEvent } from "react";
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
  const search = { go: (by: number) => went.push(`hit ${by}`) };
  const parts = { lines: { current: lines }, search, hasLetters, onFollow: vi.fn() };
  const press = logKeys(parts as unknown as Parameters<typeof logKeys>[0]);
  return (key: string) => {
    const event = { key, preventDefault: vi.fn() };
    press(event as unknown as KeyboardEvent);
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
