import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { hasFailed } from "../../../lib/paging/useRead.ts";
import { grouped } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { StateShape } from "../../../ui/State.tsx";
import { AgainLink } from "./AgainLink.tsx";
import { ProgressFacts, Values } from "./NodeDetail.tsx";
import { type NodeItemIn, nodeQueries } from "./node-queries.ts";
import { nodeStateWord, progressOfState, toneOfNode } from "./node-rows.ts";

type Props = { runId: string; nodeId: string; moves: boolean };

const filters = {
  all: { label: "All", states: undefined },
  failed: { label: "Failed", states: "failed" },
  open: { label: "Not done", states: "pending,running,waiting,failed,cancelled,not_run" },
} as const;

/** The items of an `each`, as far as they were read; each opens to its values. */
export function NodeItems({ runId, nodeId, moves }: Props) {
  const api = useApi();
  const [filter, setFilter] = useState<keyof typeof filters>("all");
  const { rows, query, more } = usePages(
    nodeQueries.items(api, runId, nodeId, filters[filter].states, moves),
  );
  const [open, setOpen] = useState<number | null>(null);
  return (
    <section aria-label={`Items of ${nodeId}`}>
      <header className="flex min-h-6 items-center justify-between pb-1">
        <h3 className="font-normal text-muted text-secondary">Items</h3>
        <Segmented
          label="Which items"
          value={filter}
          options={(["all", "failed", "open"] as const).map((value) => ({
            value,
            label: filters[value].label,
          }))}
          onChange={setFilter}
        />
      </header>
      {hasFailed(query) && <ReadFailure query={query} what="The items" isInset />}
      {query.data && rows.length === 0 && <p className="text-faint text-secondary">None.</p>}
      <ol className="max-h-96 overflow-y-auto">
        {rows.map((item) => (
          <Item
            key={item.index}
            {...{ runId, nodeId, item, moves }}
            isOpen={open === item.index}
            onOpen={() => setOpen(open === item.index ? null : item.index)}
          />
        ))}
      </ol>
      {more && (
        <Button size="small" onClick={more.read} loading={more.isReading}>
          More items
        </Button>
      )}
    </section>
  );
}

type ItemProps = Props & { item: NodeItemIn; isOpen: boolean; onOpen: () => void };

function Item({ runId, nodeId, item, moves, isOpen, onOpen }: ItemProps) {
  const progress = progressOfState(item.state);
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onOpen}
        className="flex h-6 w-full items-center gap-2 rounded-tag text-left hover:bg-surface-hover"
      >
        <StateShape tone={toneOfNode(progress)} label={nodeStateWord(item.state)} />
        <span className="text-muted text-secondary tabular-nums">{grouped(item.index)}</span>
        <span className="min-w-0 flex-1 truncate text-mono-narrow">{item.preview ?? ""}</span>
      </button>
      {isOpen && (
        <div className="flex flex-col gap-1.5 border-l py-1 pl-3">
          <ProgressFacts of={item} progress={progress} type={null} />
          <div className="empty:hidden">
            <AgainLink runId={runId} node={nodeId} item={item.index} />
          </div>
          <Values runId={runId} nodeId={nodeId} item={item.index} moves={moves} />
        </div>
      )}
    </li>
  );
}
