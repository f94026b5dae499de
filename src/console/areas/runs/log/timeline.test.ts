import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLine } from "./line.ts";
import { mostNodes, Timeline, timeline, waitingNodes } from "./timeline.ts";

const at = (second: number) => `2026-11-20T08:15:${String(second).padStart(2, "0")}.000Z`;
const of = (...lines: string[]) => timeline(lines.map(readLine));

describe("the timeline of nodes", () => {
  it("has each node from its first to its last line, with how it ended", () => {
    const spans = of(
      `${at(0)} [Read] started`,
      `${at(2)} [Read] finished in 2.0 s`,
      `${at(2)} [Fetch] started`,
      `${at(5)} [Fetch] failed: 502 Bad Gateway`,
      `${at(5)} [Write] skipped`,
      `${at(6)} [Check] started`,
    );
    expect(spans.map((span) => [span.node, (span.to - span.from) / 1000, span.progress])).toEqual([
      ["Read", 2, "done"],
      ["Fetch", 3, "failed"],
      ["Write", 0, "skipped"],
      ["Check", 0, "running"],
    ]);
    expect(spans[1]?.firstLine).toBe(2);
    expect(spans.map((span) => span.firstError)).toEqual([null, 3, null, null]);
  });

  it("has no node for the line that says why the run still waits", () => {
    const lines = [`${at(0)} [run] waiting: 50 are already running`, `${at(9)} [Read] started`];
    expect(of(...lines).map(({ node, firstLine }) => [node, firstLine])).toEqual([["Read", 1]]);
  });

  it("says what a node waits for, until it says something else", () => {
    const waits = [
      `${at(0)} [Count] started`,
      `${at(1)} [Count] waiting for a free place, 12 before it`,
      `${at(1)} [All] 3: waiting for a free place, next in line`,
      `${at(2)} [Talk] waiting for a free place in the car park of the harbour`,
    ];
    const progress = (...lines: string[]) =>
      of(...lines).map(({ node, progress, waitsFor }) => [node, progress, waitsFor]);
    expect(progress(...waits)).toEqual([
      ["Count", "waiting", "waiting for a free place, 12 before it"],
      ["All", "waiting", "waiting for a free place, next in line"],
      ["Talk", "running", null],
    ]);
    expect(progress(...waits, `${at(9)} [Count] waited 8.0 s for a free place`)[0]).toEqual([
      ...["Count", "running", null],
    ]);
    expect(progress(...waits, `${at(9)} [Count] failed: no`)[0]).toEqual(["Count", "failed", null]);
    expect(waitingNodes(of(...waits))).toBe("2 nodes are waiting for a free place.");
    expect(waitingNodes(of(...waits.slice(0, 2)))).toBe("Count is waiting for a free place, 12 before it.");
    expect(waitingNodes(of(...waits.slice(0, 1)))).toBeNull();
  });

  it("marks retries, and a try that succeeds ends the failure", () => {
    const [span] = of(
      `${at(0)} [Fetch] started`,
      `${at(1)} [Fetch] failed: 502`,
      `${at(2)} [Fetch] retry 1 of 3`,
      `${at(4)} [Fetch] finished in 4.0 s`,
    );
    expect(span?.progress).toBe("done");
    expect(span?.retries).toHaveLength(1);
  });

  it("marks each further try of an item of `each`, and such a line ends nothing", () => {
    const [span] = of(
      `${at(0)} [All] started`,
      `${at(1)} [All] 2: tries again in 2.1 s: error 503 (attempt 1 of 3)`,
      `${at(2)} [All] failed: 503, retrying in 5 s`,
    );
    expect(span?.retries).toHaveLength(2);
    expect(span).toMatchObject({ progress: "running", firstError: null });
  });

  it("is empty for a log without form, and passes over lines without a time", () => {
    expect(of("hello", "[a] b", "", "{}")).toEqual([]);
  });

  it("keeps the picture small when a log names thousands of nodes", () => {
    const lines = Array.from({ length: 1000 }, (_, n) => readLine(`${at(0)} [node ${n}] started`));
    const built = new Timeline().add(lines);
    expect(built.spans).toHaveLength(mostNodes);
    expect(built.leftOut).toBe(1000 - mostNodes);
  });

  it("is the same read at once or in pieces", () => {
    const line = fc.record({
      second: fc.nat(59),
      node: fc.constantFrom("a", "b"),
      text: fc.constantFrom("started", "failed: x", "retry 1", "finished", "x"),
    });
    fc.assert(
      fc.property(fc.array(line), fc.nat(), (rows, cut) => {
        const lines = rows.map((row) => readLine(`${at(row.second)} [${row.node}] ${row.text}`));
        const pieces = new Timeline().add(lines.slice(0, cut)).add(lines.slice(cut));
        expect(pieces.spans).toEqual(timeline(lines));
      }),
    );
  });
});
