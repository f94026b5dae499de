import type { StoredAgentDraft } from "../../../agents/draft-store.ts";
import { JsonActions } from "../../../components/json/JsonActions.tsx";
import { JsonTree } from "../../../components/json/JsonTree.tsx";
import { Button } from "../../../ui/Button.tsx";

/** The agent cannot be read, but what was written of it is still on this device: to be copied, or thrown away. */
export function KeptDraft({
  agentId,
  draft,
  onDiscard,
}: {
  agentId: string;
  draft: StoredAgentDraft;
  onDiscard: () => void;
}) {
  return (
    <section aria-label="Your draft" className="mx-6 mb-6 max-w-text rounded-panel border">
      <header className="flex items-center gap-2 border-b px-3.5 py-1.5">
        <h2 className="flex-1 font-semibold">Your draft is still on this device</h2>
        <JsonActions value={draft.mine} what="the draft" fileName={`${agentId}-draft.json`} />
        <Button size="small" variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </header>
      <div className="max-h-80 overflow-auto px-3.5 py-2">
        <JsonTree value={draft.mine} label="The draft" />
      </div>
    </section>
  );
}
