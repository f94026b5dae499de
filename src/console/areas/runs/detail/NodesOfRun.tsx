import { Link } from "@tanstack/react-router";
import { linkClass } from "../../../ui/textClass.ts";
import { readRunSearch } from "../search.ts";
import { FlowPicture } from "./FlowPicture.tsx";
import { NodeDetail } from "./NodeDetail.tsx";
import type { NodeIn } from "./node-queries.ts";
import { progressOfState } from "./node-rows.ts";

type Props = { runId: string; nodes: readonly NodeIn[]; selected: string | undefined };

/** The picture of a run's flow, and below it the node that was chosen, there or in the list. */
export function NodesOfRun({ runId, nodes, selected }: Props) {
  const progress = new Map(nodes.map(({ id, state }) => [id, progressOfState(state)]));
  const node = nodes.find(({ id }) => id === selected);
  return (
    <div className="flex flex-col gap-3">
      <FlowPicture {...{ runId, nodes, progress, selected }} />
      {selected !== undefined && (
        <section aria-label={`Node ${selected}`} className="border-t pt-3">
          <header className="mb-1.5 flex items-baseline justify-between gap-3">
            <h3 className="min-w-0 truncate font-semibold">{selected}</h3>
            <Link
              to="/runs/$runId"
              params={{ runId }}
              search={(old) => readRunSearch({ ...old, node: undefined })}
              replace
              className={linkClass}
            >
              Close
            </Link>
          </header>
          {node ? (
            <NodeDetail key={node.id} runId={runId} node={node} progress={progressOfState(node.state)} />
          ) : (
            <p className="text-muted">The flow of this run has no such node.</p>
          )}
        </section>
      )}
    </div>
  );
}
