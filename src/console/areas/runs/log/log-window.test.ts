import { describe, expect, it } from "vitest";
import { LogWindow } from "./log-window.ts";

function opened(count: number, view = 400) {
  const rows = new LogWindow();
  rows.setView(view);
  rows.resize(count);
  return rows;
}

describe("the window on a log", () => {
  it("keeps the row at the top where it is when rows above it turn out to be higher, and when rows come", () => {
    const rows = opened(1_000);
    rows.scrolledTo(4_006);
    expect(rows.topRow).toBe(200);
    rows.measure(10, 120);
    expect([rows.topRow, rows.scrollTop]).toEqual([200, 4_106]);
    rows.resize(2_000);
    expect([rows.topRow, rows.scrollTop]).toEqual([200, 4_106]);
  });

  it("reaches the first and the last of five million rows in an element that browsers can draw", () => {
    const rows = opened(5_000_000);
    expect(rows.drawnHeight).toBeLessThan(17_000_000);
    rows.toEnd();
    expect(rows.span(0).end).toBe(5_000_000);
    expect(rows.scrollTop).toBeLessThanOrEqual(rows.drawnHeight - 400);
    rows.scrolledTo(0);
    expect(rows.span(0).first).toBe(0);
  });

  it("leaves a row alone that is in view, and brings another to the middle", () => {
    const rows = opened(1_000);
    rows.show(5);
    expect(rows.scrollTop).toBe(0);
    rows.show(500);
    const { first, end } = rows.span(0);
    expect(Math.abs((first + end) / 2 - 500)).toBeLessThan(2);
  });
});
