import { Link } from "@tanstack/react-router";
import { shownName } from "../../components/conversation/shownName.ts";
import { Ago } from "../../components/time/Time.tsx";
import type { KnownConversation } from "../../history/known-conversation.ts";
import { StateShape } from "../../ui/StateShape.tsx";
import { GroupHead } from "../../ui/Table.tsx";

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
          <li
            key={talk.id}
            className="relative flex min-h-row-tall items-start gap-3 border-b py-2 pr-edge-right pl-edge-left hover:bg-surface-hover"
          >
            <StateShape tone="failed" className="mt-[3px]" />
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">
                <Link
                  to="/agents/$agentId/conversations/$interactionId"
                  params={{ agentId: talk.agentId, interactionId: talk.interactionId }}
                  data-work=""
                  className="focus-inset after:absolute after:inset-0"
                >
                  {shownName(talk.name ?? talk.interactionId)}
                </Link>
              </p>
              <p className="truncate text-muted text-secondary">
                with {shownName(talk.agentName ?? talk.agentId)}
              </p>
            </div>
            <span className="shrink-0 text-right text-muted text-secondary leading-5">
              <Ago at={new Date(talk.last?.seenAt ?? talk.knownAt).toISOString()} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
