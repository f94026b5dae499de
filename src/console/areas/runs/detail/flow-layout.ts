import type { NodeIn } from "./node-queries.ts";

/** Where a node stands in the picture, in pixels from its top left. */
export interface PlacedNode {
  readonly node: NodeIn;
  readonly x: number;
  readonly y: number;
}

/** A line from a node to one that needs it. */
export interface PlacedEdge {
  readonly from: string;
  readonly to: string;
  /** The branch that it stands for. */
  readonly branch: string | null;
  /** An SVG path. */
  readonly path: string;
  /** The middle, for the branch's name. */
  readonly x: number;
  readonly y: number;
}

/** A flow as it is drawn. */
export interface FlowLayout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** Of one node, in pixels. */
export const nodeSize = { width: 116, height: 26 } as const;
const gap = { x: 12, y: 30 } as const;
/** Of a layer with more than so many nodes the rest goes into further rows. */
const widest = 6;

/**
 * Places the nodes of a flow in layers from the top: each below all that it needs, near to what it comes from. An edge to a
 * node that is not there, and one that would close a circle, are left out.
 */
export function layoutFlow(nodes: readonly NodeIn[]): FlowLayout {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const needsOf = (node: NodeIn) =>
    (node.needs ?? []).flatMap((edge) =>
      edge?.node && byId.has(edge.node) ? [{ id: edge.node, branch: edge.branch ?? null }] : [],
    );
  const layers = layersOf(nodes, (node) => needsOf(node).map(({ id }) => id));
  const place = new Map<string, { x: number; y: number }>();
  const placed: PlacedNode[] = [];
  let y = 0;
  let width: number = nodeSize.width;
  for (const layer of layers) {
    const order = layer
      .map((node, index) => ({
        node,
        index,
        at: middleOf(needsOf(node).flatMap(({ id }) => place.get(id) ?? [])),
      }))
      .sort((a, b) => a.at - b.at || a.index - b.index);
    for (let from = 0; from < order.length; from += widest) {
      for (const [column, { node }] of order.slice(from, from + widest).entries()) {
        const x = column * (nodeSize.width + gap.x);
        place.set(node.id, { x, y });
        placed.push({ node, x, y });
        width = Math.max(width, x + nodeSize.width);
      }
      y += nodeSize.height + gap.y;
    }
  }
  const edges = placed.flatMap(({ node }) =>
    needsOf(node).flatMap(({ id, branch }) => {
      const [start, end] = [place.get(id), place.get(node.id)];
      return start && end && start.y < end.y ? [edgeOf(id, node.id, branch, start, end)] : [];
    }),
  );
  return { nodes: placed, edges, width, height: Math.max(0, y - gap.y) };
}

function layersOf(nodes: readonly NodeIn[], needsOf: (node: NodeIn) => readonly string[]): NodeIn[][] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const depths = new Map<string, number>();
  const depthOf = (node: NodeIn, trail: ReadonlySet<string>): number => {
    const known = depths.get(node.id);
    if (known !== undefined) return known;
    const inner = new Set(trail).add(node.id);
    const needed = needsOf(node).flatMap((id) => {
      const other = byId.get(id);
      return other && !inner.has(id) ? [depthOf(other, inner) + 1] : [];
    });
    const depth = Math.max(0, ...needed);
    depths.set(node.id, depth);
    return depth;
  };
  const layers: NodeIn[][] = [];
  for (const node of nodes) {
    const depth = depthOf(node, new Set());
    while (layers.length <= depth) layers.push([]);
    layers[depth]?.push(node);
  }
  return layers;
}

function middleOf(places: readonly { x: number }[]): number {
  return places.length === 0 ? 0 : places.reduce((sum, { x }) => sum + x, 0) / places.length;
}

function edgeOf(
  from: string,
  to: string,
  branch: string | null,
  start: { x: number; y: number },
  end: { x: number; y: number },
): PlacedEdge {
  const half = nodeSize.width / 2;
  const [x1, y1, x2, y2] = [start.x + half, start.y + nodeSize.height, end.x + half, end.y];
  const bend = Math.min(gap.y, (y2 - y1) / 2);
  return {
    ...{ from, to, branch, x: (x1 + x2) / 2, y: (y1 + y2) / 2 },
    path: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`,
  };
}
