import { describe, expect, it } from "vitest";
import { aRunSummary } from "../../../testing/builders.ts";
import { rowOfService } from "../runs/run-row.ts";
import { changesOf } from "./changes.ts";

const now = Date.UTC(2026, 10, 20, 12);
const done = (id: string, hoursAgo: number, seconds: number) => {
  const end = now - hoursAgo * 3_600_000;
  return rowOfService(
    aRunSummary({
      run_id: id,
      state: "DONE",
      created_ts: new Date(end - seconds * 1000).toISOString(),
      finished_ts: new Date(end).toISOString(),
    }),
  );
};

describe("what changed in the last day", () => {
  it("counts the runs of a flow that were done, and names files and new agents, newest first", () => {
    const rows = [done("1", 3, 12), done("2", 4, 11), done("3", 5, 90), done("4", 30, 5)].flatMap(
      (row) => row ?? [],
    );
    const artifacts = [
      { id: "art_1", filename: "rates.csv", major_version: 4, created_at: "2026-11-20T11:00:00.000Z" },
      { id: "art_2", filename: "old.csv", major_version: 1, created_at: "2026-11-18T11:00:00.000Z" },
      undefined,
    ];
    const agents = [{ id: "agent_1", name: "Demurrage desk", created_at: "2026-11-20T07:00:00.000Z" }];
    expect(changesOf({ rows, artifacts, agents }, now).map((one) => `${one.subject} ${one.does}`)).toEqual([
      "rates.csv was written, version 4",
      "Say hello ran 3 times, 12 s each (median)",
      "Demurrage desk was created",
    ]);
  });
});
