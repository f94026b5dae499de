import { describe, expect, it } from "vitest";
import type { RunRow } from "../run-row.ts";
import { readRunsSearch } from "../search.ts";
import { filtersOf } from "./filters.ts";
import { matchesFilters } from "./matches-filters.ts";

const now = Date.UTC(2026, 10, 20, 9, 2);
const run: RunRow = {
  runId: "r1",
  flowId: "flow_hello",
  flowName: "Hello",
  state: "FAILED",
  createdTs: "2026-11-20T08:30:00+00:00",
  finishedTs: null,
  userId: "user_ada",
  inputs: { name: "Grace" },
  error: "502",
  source: "service",
};

describe("the address of the runs list", () => {
  it("is read tolerantly: what is not understood is left out", () => {
    expect(readRunsSearch({ view: "moving", started: "24h", q: "", run: 7, state: ["x"], other: 1 })).toEqual(
      {
        view: "moving",
        started: "24h",
        run: "7",
      },
    );
    // Present and undefined: the router would let the raw value of an absent key stand.
    const nonsense = Object.entries(readRunsSearch({ view: "nonsense", started: "5y" }));
    expect(nonsense).toContainEqual(["view", undefined]);
    expect(nonsense).toContainEqual(["started", undefined]);
  });

  it("becomes the same question for five minutes, so that polls of it are comparable", () => {
    const search = { started: "1h", flow: "f", q: "x" } as const;
    expect(filtersOf(search, now, true)).toEqual({
      saved_item_id: "f",
      search: "x",
      created_after: "2026-11-20T08:00:00.000Z",
    });
    expect(filtersOf(search, now + 60_000, true)).toEqual(filtersOf(search, now, true));
  });

  it("asks for what a view means", () => {
    expect(filtersOf({ view: "moving" }, now, true).state).toBe("QUEUED,STARTED,RUNNING,TERMINATING");
    expect(filtersOf({ view: "failed" }, now, true)).toMatchObject({
      state: "FAILED",
      created_after: "2026-11-19T09:00:00.000Z",
    });
    expect(filtersOf({ view: "failed" }, now, false)).toEqual({});
  });

  it("filters what only this browser knows in the same way", () => {
    expect(matchesFilters(run, { view: "failed" }, now, null)).toBe(true);
    expect(matchesFilters(run, { view: "failed" }, now + 2 * 86_400_000, null)).toBe(false);
    expect(matchesFilters(run, { view: "moving" }, now, null)).toBe(false);
    expect(matchesFilters(run, { view: "mine" }, now, "user_ada")).toBe(true);
    expect(matchesFilters(run, { view: "mine" }, now, null)).toBe(false);
    expect(matchesFilters(run, { q: "grace" }, now, null)).toBe(true);
    expect(matchesFilters(run, { q: "nobody" }, now, null)).toBe(false);
    expect(matchesFilters(run, { started: "1h" }, now, null)).toBe(true);
    expect(matchesFilters({ ...run, state: "PAUSED" }, { view: "moving" }, now, null)).toBe(true);
  });
});
