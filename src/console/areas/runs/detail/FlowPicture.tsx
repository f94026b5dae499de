import { Link } from "@tanstack/react-router";
import Maximize2 from "lucide-react/icons/maximize-2";
import { useEffect, useMemo, useRef, useState } from "react";
import { IconButton } from "../../../ui/Button.tsx";
import { cx } from "../../../ui/cx.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { StateShape } from "../../../ui/State.tsx";
import { readRunSearch } from "../search.ts";
import { layoutFlow, nodeSize } from "./flow-layout.ts";
import type { NodeIn } from "./node-queries.ts";
import { nodeStateWord, type RowProgress, toneOfNode } from "./node-rows.ts";

type Props = {
  runId: string;
  nodes: readonly NodeIn[];
  /** How each is drawn, by its id. */
  progress: ReadonlyMap<string, RowProgress>;
  selected: string | undefined;
};

/** The flow as it was run, with the states of its nodes on it. Each is a link to what is known of it. */
export function FlowPicture(props: Props) {
  const [isWide, setWide] = useState(false);
  return (
    <>
      <div className="relative">
        <Picture {...props} className="max-h-80" />
        {/* Beside the title where there is one, so that it covers no node. */}
        <span className="absolute in-[aside]:-top-[30px] top-0 right-0 bg-surface">
          <IconButton size="small" label="Expand the flow" onClick={() => setWide(true)}>
            <Maximize2 />
          </IconButton>
        </span>
      </div>
      {isWide && (
        <Dialog title="Flow" onClose={() => setWide(false)}>
          <Picture {...props} className="max-h-[70dvh]" onPick={() => setWide(false)} />
        </Dialog>
      )}
    </>
  );
}

const borders: Partial<Record<RowProgress, string>> = {
  running: "border-state-running-mark",
  failed: "border-state-failed-mark bg-state-failed-bg",
  waiting: "border-state-waiting-mark",
  cancelled: "border-state-stopped-mark",
};
const isQuiet = (progress: RowProgress | undefined) => progress === "skipped" || progress === "pending";

function Picture({
  runId,
  nodes,
  progress,
  selected,
  className,
  onPick,
}: Props & { className: string; onPick?: () => void }) {
  const layout = useMemo(() => layoutFlow(nodes), [nodes]);
  const scroller = useRef<HTMLDivElement>(null);
  const first = selected ?? nodes.find(({ id }) => progress.get(id) === "failed")?.id;
  useEffect(() => {
    const box = scroller.current;
    const at = layout.nodes.find(({ node }) => node.id === first);
    if (!box || !at) return;
    box.scrollLeft = at.x - box.clientWidth / 2 + nodeSize.width / 2;
    box.scrollTop = at.y - box.clientHeight / 2;
  }, [first, layout]);
  const stateOf = new Map(nodes.map(({ id, state }) => [id, state]));
  return (
    <nav ref={scroller} aria-label="Flow" className={cx("overflow-auto", className)}>
      <div className="relative" style={{ width: layout.width, height: layout.height }}>
        <svg
          width={layout.width}
          height={layout.height}
          className="absolute inset-0"
          aria-hidden="true"
          fill="none"
          stroke="currentColor"
        >
          <g className="text-line-strong">
            {layout.edges.map(({ from, to, path }) => (
              <path
                key={`${from} ${to}`}
                d={path}
                {...(isQuiet(progress.get(to)) && { strokeDasharray: "3 3" })}
              />
            ))}
          </g>
        </svg>
        {layout.edges.map(({ from, to, branch, x, y }) =>
          branch === null ? null : (
            <span
              key={`${from} ${to}`}
              className="-translate-x-1/2 -translate-y-1/2 pointer-events-none absolute max-w-24 truncate bg-surface px-1 text-axis text-muted"
              style={{ left: x, top: y }}
              aria-hidden="true"
            >
              {branch}
            </span>
          ),
        )}
        {layout.nodes.map(({ node: { id }, x, y }) => {
          const at = progress.get(id) ?? "pending";
          return (
            <Link
              key={id}
              to="/runs/$runId"
              params={{ runId }}
              search={(old) => readRunSearch({ ...old, node: id })}
              replace
              title={id}
              {...(id === selected && { "aria-current": true })}
              {...(onPick && { onClick: onPick })}
              className={cx(
                "absolute flex items-center gap-1.5 rounded-control border bg-surface px-2 hover:bg-surface-hover",
                borders[at],
                isQuiet(at) && "border-dashed text-muted",
                id === selected && "bg-surface-selected",
              )}
              style={{ left: x, top: y, ...nodeSize }}
            >
              <StateShape tone={toneOfNode(at)} label={nodeStateWord(stateOf.get(id))} />
              <span className="min-w-0 truncate text-secondary">{id}</span>
            </Link>
          );
        })}
      </div>
    </nav>
  );
}
