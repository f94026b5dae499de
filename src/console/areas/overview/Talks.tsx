import type { KnownConversation } from "../../lib/history/known-conversation.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { GroupHead } from "../../ui/Table.tsx";
import { WorkRow } from "./WorkRow.tsx";

/** A conversation whose last turn failed, with everything that its link needs. */
export type FailedTalk = KnownConversation & { agentId: string; interactionId: string };

/** Conversations of this person whose last turn failed in the last day. */
export function Talks({ talks }: { talks: readonly FailedTalk[] }) {
  if (talks.length === 0) return null;
  return (
    <section aria-label="Failed conversations">
      <h3 className="flex h-row-group items-center border-b bg-surface-sunken pr-edge-right pl-edge-left [&>span]:flex-1">
        <GroupHead
          name="Turns that failed"
          count={talks.length}
          remark={<span className="max-sm:hidden">a conversation can go on after it</span>}
        />
      </h3>
      <ul>
        {talks.map((talk) => (
          <WorkRow
            key={talk.id}
            tone="failed"
            title={shownName(talk.name ?? talk.interactionId)}
            why={`with ${shownName(talk.agentName ?? talk.agentId)}`}
            age={<Ago at={new Date(talk.last?.seenAt ?? talk.knownAt).toISOString()} />}
            link={{
              to: "/agents/$agentId/conversations/$interactionId",
              params: { agentId: talk.agentId, interactionId: talk.interactionId },
            }}
          />
        ))}
      </ul>
    </section>
  );
}
