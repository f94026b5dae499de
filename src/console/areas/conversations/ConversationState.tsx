import { Link } from "@tanstack/react-router";
import type { Description } from "../../../contract/states.ts";
import { isNotFound } from "../../api/errors.ts";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { useDeletedWords, useDeletionWords } from "../../lib/keep/deletion.ts";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import type { Read } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { formatDuration, parseTime } from "../../lib/time/format.ts";
import { StatePill } from "../../ui/Tag.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { NotFoundForYou } from "../session/index.ts";
import type { Span } from "./message-rows.ts";

type Props = { described: Description; since: number | null; isStopRequested?: boolean };

/** The tinted state of a conversation and, while the agent works, for how long; ticking. Times in ms. */
export function ConversationPill({ described, since, isStopRequested = false }: Props) {
  const moves = !described.terminal;
  return (
    <span className="flex shrink-0 items-center gap-2.5">
      {isStopRequested && moves ? (
        <StatePill tone="stopping" word="Stop requested…" />
      ) : (
        <StatePill tone={described.tone} word={described.title} />
      )}
      {moves && since !== null && <Elapsed since={since} />}
    </span>
  );
}

/** How long something took, or, where `isTicking`, takes so far; nothing where its times are not known. */
export function Took({ span, isTicking }: { span: Span; isTicking: boolean }) {
  const start = parseTime(span.start);
  const end = parseTime(span.end);
  if (start === null) return null;
  if (end === null) return isTicking ? <Elapsed since={start} /> : null;
  return (
    <span className="tabular-nums" title="Duration">
      <VisuallyHidden>took </VisuallyHidden>
      {formatDuration(end - start, { fine: true })}
    </span>
  );
}

/** How long since a moment, ticking. */
export function Elapsed({ since }: { since: number }) {
  const now = useNow();
  return (
    <span className="font-medium text-state-running-fg tabular-nums">
      {formatDuration(Math.max(0, now - since))}
    </span>
  );
}

type UnreadProps = { query: Read<unknown>; agentId: string; interactionId: string };

/** In place of a conversation: it does not exist, this key may not see it, or it could not be read. */
export function ConversationUnread({ query, agentId, interactionId }: UnreadProps) {
  const isGone = isNotFound(query.error);
  const deleted = useDeletedWords("conversation", interactionId, isGone);
  const remark = useDeletionWords("conversations", isGone);
  const all = (
    <LinkButton to="/agents/$agentId" params={{ agentId }} size={isGone ? "normal" : "small"}>
      All conversations with this agent
    </LinkButton>
  );
  if (isGone)
    return (
      <NotFoundForYou
        what="conversation"
        id={interactionId}
        error={query.error}
        deleted={deleted}
        {...(remark !== null && { or: "was deleted,", remark })}
        actions={
          <>
            {all}
            <LinkButton to="/agents/$agentId/conversations/new" params={{ agentId }}>
              New conversation
            </LinkButton>
          </>
        }
      />
    );
  return <ReadFailure query={query} what="The conversation" actions={all} />;
}

/** The shape of a conversation while it is read for the first time. */
export function ConversationSkeleton() {
  return (
    <div role="status" className="appear-late">
      <span className="sr-only">Loading the conversation</span>
      {["first", "second", "third"].map((key, at) => (
        <div
          key={key}
          aria-hidden="true"
          className={`grid gap-x-3 gap-y-3 px-edge-left py-4 sm:grid-cols-[104px_minmax(0,1fr)] ${at % 2 === 0 ? "bg-surface-sunken" : ""}`}
        >
          <span className="h-2 w-16 rounded-tag bg-surface-pressed" />
          <span className="flex flex-col gap-3">
            <span className="h-2 w-4/5 rounded-tag bg-surface-pressed" />
            {at % 2 === 1 && <span className="h-2 w-3/5 rounded-tag bg-surface-pressed" />}
            {at % 2 === 1 && <span className="h-16 rounded-control bg-surface-pressed" />}
          </span>
        </div>
      ))}
    </div>
  );
}

/** What a conversation's page stands under. */
export const parentsOf = (agentId: string, agent: string) => [
  { key: "agents", link: <Link to="/agents">Agents</Link> },
  {
    key: "agent",
    link: (
      <Link to="/agents/$agentId" params={{ agentId }}>
        {shownName(agent)}
      </Link>
    ),
  },
];
