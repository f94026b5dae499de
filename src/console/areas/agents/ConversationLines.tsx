import { Link } from "@tanstack/react-router";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { StateShape } from "../../ui/StateShape.tsx";
import type { ConversationLine } from "./useConversations.ts";

/** Conversations in a panel: shape, name, age. */
export function ConversationLines({
  agentId,
  lines,
}: {
  agentId: string;
  lines: readonly ConversationLine[];
}) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line.id}>
          <Link
            to="/agents/$agentId/conversations/$interactionId"
            params={{ agentId, interactionId: line.id }}
            className="flex min-h-7 items-center gap-2.5 rounded-tag hover:text-accent"
          >
            <StateShape tone={line.described.tone} label={line.described.word} />
            <bdi className="min-w-0 flex-1 truncate">{shownName(line.name ?? line.id)}</bdi>
            <span className="shrink-0 text-muted text-secondary tabular-nums">
              <Ago at={line.createdAt} suffix="" />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
