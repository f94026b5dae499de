import { InboxPage } from "../areas/inbox/InboxPage.tsx";
import type { InboxSearch } from "../areas/inbox/search.ts";
import { SourcePanel } from "../areas/knowledge/SourcePanel.tsx";
import { useSources } from "../areas/knowledge/sources.ts";

type Props = { itemId?: string; search: InboxSearch };

/** The inbox with knowledge sources as the area of sources shows them, without those that this person put off. */
export function InboxOfAll({ itemId, search }: Props) {
  const knowledge = useSources();
  return (
    <InboxPage
      itemId={itemId}
      search={search}
      snoozed={knowledge.snoozed}
      renderSource={(id) => <SourcePanel sourceId={id} inbox={knowledge} list="/inbox" />}
    />
  );
}
