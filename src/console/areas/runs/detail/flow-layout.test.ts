import { describe, expect, it } from "vitest";
import { aRunNode } from "../../../../testing/run-nodes.ts";
import { layoutFlow, nodeSize } from "./flow-layout.ts";

const node = (id: string, ...needs: (string | [node: string, branch: string])[]) =>
  aRunNode({
    id,
    needs: needs.map((need) =>
      typeof need === "string" ? { node: need, branch: null } : { node: need[0], branch: need[1] },
    ),
  });

/** The nodes of each row, from the left, by their ids. */
function rowsOf({ nodes }: ReturnType<typeof layoutFlow>): string[] {
  const rows = new Map<number, string[]>();
  for (const { node: one, x, y } of [...nodes].sort((a, b) => a.y - b.y || a.x - b.x)) {
    expect(Number.isFinite(x)).toBe(true);
    rows.set(y, [...(rows.get(y) ?? []), one.id]);
  }
  return [...rows.values()].map((ids) => ids.join(" "));
}

describe("the picture of a flow", () => {
  it("puts each node below all that it needs, in whatever order they come", () => {
    const layout = layoutFlow([node("d", "b", "c"), node("c", "a"), node("b", "a"), node("a")]);
    expect(rowsOf(layout)).toEqual(["a", "c b", "d"]);
    expect(layout.edges.map(({ from, to }) => `${from}-${to}`).sort()).toEqual(["a-b", "a-c", "b-d", "c-d"]);
  });

  it("puts a node near to what it comes from", () => {
    const layout = layoutFlow([
      node("left"),
      node("right"),
      node("of_right", "right"),
      node("of_left", "left"),
    ]);
    expect(rowsOf(layout)).toEqual(["left right", "of_left of_right"]);
  });

  it("names the branch of an edge in its middle", () => {
    const [edge] = layoutFlow([node("which"), node("then", ["which", "yes"])]).edges;
    expect(edge).toMatchObject({ branch: "yes", x: nodeSize.width / 2 });
  });

  it("leaves out what is needed and not there, and what would close a circle", () => {
    const layout = layoutFlow([node("a", "b"), node("b", "a", "gone"), node("self", "self")]);
    expect(layout.nodes).toHaveLength(3);
    for (const { from, to } of layout.edges) expect(from).not.toBe(to);
    expect(layout.edges).toHaveLength(1);
    expect(layoutFlow([])).toMatchObject({ nodes: [], edges: [], height: 0 });
  });

  it("of two hundred nodes, wide or deep, lays no two over each other, and none out of the picture", () => {
    const wide = [node("top"), ...Array.from({ length: 199 }, (_, at) => node(`n${at}`, "top"))];
    const deep = Array.from({ length: 200 }, (_, at) =>
      at === 0 ? node("n0") : node(`n${at}`, `n${at - 1}`),
    );
    const woven = Array.from({ length: 200 }, (_, at) =>
      node(`n${at}`, ...[at - 7, at - 11].filter((need) => need >= 0).map((need) => `n${need}`)),
    );
    for (const nodes of [wide, deep, woven]) {
      const layout = layoutFlow(nodes);
      expect(new Set(layout.nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(200);
      for (const { x, y } of layout.nodes) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + nodeSize.width).toBeLessThanOrEqual(layout.width);
        expect(y + nodeSize.height).toBeLessThanOrEqual(layout.height);
      }
      const at = new Map(layout.nodes.map((one) => [one.node.id, one.y]));
      for (const { from, to } of layout.edges) expect(at.get(from)).toBeLessThan(at.get(to) ?? 0);
    }
  });
});
