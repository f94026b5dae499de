import { JsonActions } from "../../../lib/json/JsonActions.tsx";
import { JsonTree } from "../../../lib/json/JsonTree.tsx";
import { Button } from "../../../ui/Button.tsx";
import type { StoredAgentDraft } from "../agent/draft-store.ts";

/** The agent cannot be read or changed, but what was written of it is still on this device: to be copied, or thrown away. */
export function KeptDraft({
  agentId,
  draft,
  onDiscard,
}: {
  agentId: string;
  draft: StoredAgentDraft;
  onDiscard: () => void;
}) {
  const { mine, texts } = draft;
  // What could not be read as what it should be was never part of the draft itself.
  const value =
    texts && Object.keys(texts).length > 0 ? { ...mine, "typed and not readable yet": texts } : mine;
  return (
    <section
      aria-label="Your draft"
      className="my-4 mr-edge-right ml-edge-left max-w-text shrink-0 rounded-panel border"
    >
      <header className="flex items-center gap-2 border-b px-3.5 py-1.5">
        <h2 className="flex-1 font-semibold">Your draft is still on this device</h2>
        <JsonActions value={value} what="the draft" fileName={`${agentId}-draft.json`} />
        <Button size="small" variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </header>
      <div className="max-h-80 overflow-auto px-3.5 py-2">
        <JsonTree value={value} label="The draft" />
      </div>
    </section>
  );
}
