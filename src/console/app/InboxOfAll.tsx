import { usePerson } from "../areas/directory/index.ts";
import { InboxPage } from "../areas/inbox/InboxPage.tsx";
import type { SourceRow } from "../areas/inbox/inbox-rows.ts";
import type { InboxSearch } from "../areas/inbox/search.ts";
import { SourcePanel } from "../areas/knowledge/SourcePanel.tsx";
import { creditWords, type SourceIn, sourceName, useSources } from "../areas/knowledge/sources.ts";
import { formatDuration, parseTime } from "../lib/time/format.ts";

type Props = { itemId?: string; search: InboxSearch };

/** The inbox with the knowledge sources that wait for an approval, and those that have it. */
export function InboxOfAll({ itemId, search }: Props) {
  const knowledge = useSources();
  const person = usePerson();
  const keys = { waits: "mine", others: "others" } as const;
  const waiting = knowledge.groups.flatMap(({ key, sources }) =>
    key === "waits" || key === "others" ? sources.map((one) => waitingRow(one, keys[key], person)) : [],
  );
  const approved = knowledge.sources.flatMap((one) => (one.approved_at ? [approvedRow(one, person)] : []));
  return (
    <InboxPage
      itemId={itemId}
      search={search}
      sources={[...waiting, ...approved]}
      renderSource={(id) => <SourcePanel sourceId={id} inbox={knowledge} list="/inbox" />}
    />
  );
}

type Words = ReturnType<typeof usePerson>;

function waitingRow(source: SourceIn, state: "mine" | "others", person: Words): SourceRow {
  const credits = source.estimated_credits;
  return {
    ...{ id: source.id, state, at: source.created_at, name: sourceName(source) },
    words: `Knowledge source, created by ${person(source.created_by_user_id, source.creator)}`,
    cost: typeof credits === "number" && credits > 0 ? creditWords(credits) : null,
  };
}

/** "Knowledge source, approved by Ada Lovelace after 2 h 05 m": from when it was made. */
function approvedRow(source: SourceIn, person: Words): SourceRow {
  const { created_at: from, approved_at: at, approved_by: by } = source;
  const [start, end] = [parseTime(from), parseTime(at)];
  const took = start === null || end === null ? "" : ` after ${formatDuration(Math.max(0, end - start))}`;
  const who = by ? ` by ${person(by.id, by)}` : "";
  return {
    ...{ id: source.id, state: "approved", at, name: sourceName(source), cost: null },
    words: `Knowledge source, approved${who}${took}`,
  };
}
