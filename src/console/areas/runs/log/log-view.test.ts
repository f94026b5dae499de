import { describe, expect, it } from "vitest";
import { LineFacts } from "../worker/line-facts.ts";
import { overwrites } from "../worker/log-reading.ts";
import type { RunLog } from "../worker/run-log.ts";
import { type LogFilter, LogView } from "./log-view.ts";

const all: LogFilter = { level: "all", nodes: new Set() };

/** A log of which the worker has read the lines with these codes, in turns by the nodes A and B. */
function aLog(length: number, codes: readonly number[]) {
  const facts = new LineFacts();
  const learn = (levels: readonly number[]) =>
    facts.add({
      from: facts.length,
      levels: Uint8Array.from(levels),
      nodes: Uint16Array.from(levels, (_, at) => ((facts.length + at) % 2) + 1),
      names: facts.length === 0 ? ["A", "B"] : [],
      timeline: { spans: [], leftOut: 0 },
    });
  learn(codes);
  const log: RunLog = {
    length,
    version: 0,
    lastChange: "none",
    replacements: 0,
    facts,
    getLines: () => [],
    subscribe: () => () => {},
  };
  return { log, learn };
}
const lines = (view: LogView) => Array.from({ length: view.count }, (_, row) => view.lineAt(row));

describe("the rows of a log", () => {
  it("are all lines without a filter, also those that are not understood yet", () => {
    const view = new LogView(aLog(4, [0, 2]).log, all);
    expect(lines(view)).toEqual([0, 1, 2, 3]);
    expect(view.rowOf(3)).toBe(3);
  });

  it("are the lines of a level or of nodes, more as more are understood", () => {
    const { log, learn } = aLog(6, [0, 2, 1]);
    const errors = new LogView(log, { ...all, level: "error" });
    const ofB = new LogView(log, { ...all, nodes: new Set(["B"]) });
    expect([lines(errors), lines(ofB)]).toEqual([[1], [1]]);
    learn([2, 0, 2]);
    errors.update();
    ofB.update();
    expect([lines(errors), lines(ofB)]).toEqual([
      [1, 3, 5],
      [1, 3, 5],
    ]);
    expect([errors.rowOf(2), errors.shows(2), errors.shows(3)]).toEqual([1, false, true]);
  });

  it("do not have the next line that is to be understood before a filter can judge it", () => {
    const { log, learn } = aLog(4, [2]);
    const errors = new LogView(log, { ...all, level: "error" });
    expect([0, 1, 2].map(errors.shows)).toEqual([true, false, false]);
    learn([2]);
    errors.update();
    expect([0, 1, 2].map(errors.shows)).toEqual([true, true, false]);
  });

  it("leave out lines that were written over, also when that becomes known later", () => {
    const { log, learn } = aLog(5, [0, 0]);
    const view = new LogView(log, all);
    learn([overwrites, overwrites]);
    view.update();
    expect(lines(view)).toEqual([0, 3, 4]);
    learn([overwrites]);
    view.update();
    expect(lines(view)).toEqual([0, 4]);
  });
});
