import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useRef, useState } from "react";
import { isNotFound } from "../../api/errors.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { Damage } from "../../lib/failure/Damage.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { KeptMark } from "../../lib/keep/Keep.tsx";
import { useKeep } from "../../lib/keep/useKeep.ts";
import { MarkdownProvider } from "../../lib/markdown/MarkdownText.tsx";
import { useCopyLink } from "../../lib/page/CopyLink.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { useShortcuts } from "../../lib/page/shortcuts.ts";
import { useMissingRight, useMissingRightOf } from "../../lib/rights/rights.ts";
import { shownName } from "../../lib/shownName.ts";
import { noColumn, phone, useMedia } from "../../lib/useMedia.ts";
import { AgentGone, agentQueries, personName, useAgentNews } from "../directory/index.ts";
import { useSignedIn } from "../session/index.ts";
import { ConversationActions } from "./ConversationActions.tsx";
import { ConversationLog } from "./ConversationLog.tsx";
import {
  ConversationPill,
  ConversationSkeleton,
  ConversationUnread,
  parentsOf,
} from "./ConversationState.tsx";
import { CopyDialog } from "./CopyDialog.tsx";
import { CopyPair } from "./CopyPair.tsx";
import type { Row } from "./message-rows.ts";
import { conversationMutations, useStopTurn } from "./mutations.ts";
import { About, Rail, RailSheet } from "./Rail.tsx";
import { Reply } from "./Reply.tsx";
import type { ConversationSearch } from "./search.ts";
import { type ConversationFacts, useConversation } from "./useConversation.ts";
import type { ConversationLogHandle } from "./useConversationScroll.ts";
import { useFind, useJumps } from "./useFind.ts";
import { type SentMessage, useTail } from "./useTail.tsx";

type Props = { agentId: string; interactionId: string; search: ConversationSearch };

/** One conversation: what was said, what the tools did, and where it goes on. */
export function ConversationPage({ agentId, interactionId, search }: Props) {
  const navigate = useNavigate({ from: "/agents/$agentId/conversations/$interactionId" });
  const copyLink = useCopyLink();
  const facts = useConversation(interactionId);
  const { conversation, described, isMoving, query } = facts;
  const api = useApi();
  const agentRead = useQuery(agentQueries.one(api, agentId));
  const news = useAgentNews(agentId);
  const isAgentGone = isNotFound(agentRead.error) || news?.kind === "retired";
  const agent = facts.agentName ?? agentRead.data?.data.agent?.name ?? agentId;
  const name = facts.name ?? "Conversation";
  const isNarrow = useMedia(noColumn);
  const isPhone = useMedia(phone);
  const keep = useKeep({
    ...{ id: interactionId, noun: "conversation", kept: facts.kept },
    mutation: conversationMutations.keep(api),
  });
  const [isRailOpen, setRailOpen] = useState(false);
  const [turn, setTurn] = useState(() => conversation.rows.at(-1)?.turn ?? 0);
  const log = useRef<ConversationLogHandle>(null);
  const person = usePersonNames(facts);
  const [sent, setSent] = useState<SentMessage | null>(null);
  const missing = useMissingTurn(facts, agentRead.data?.data.agent?.team_id, interactionId);
  const turnToStop = useStopTurn(interactionId, facts);
  const stop = missing.conversation === undefined ? turnToStop : null;
  const isStopRequested = stop?.isRequested === true;
  const turns = conversation.turns.length;
  const onSent = useCallback(
    (message: string) => {
      setSent({ text: message, turns });
      log.current?.toEnd();
    },
    [turns],
  );
  const tail = useTail({
    ...{ facts, agent, sent, agentId, interactionId, isStopRequested, onSent },
    takesMessages: !isAgentGone,
  });

  const [copied, setCopied] = useState<Row | null>(null);
  const canCopy = useCan("conversation_copy") && !isAgentGone && missing.turn === undefined;

  const text = search.q ?? "";
  const found = useFind(conversation.rows, text);
  const jumps = useJumps({ conversation, found, log, turn, part: text === "" ? undefined : search.part });
  const setText = (q: string) =>
    void navigate({ search: (old) => ({ ...old, q: q === "" ? undefined : q }), replace: true });
  const onLink = useCallback(
    async (part: string) => {
      await navigate({ search: (old) => ({ ...old, part }), replace: true });
      await copyLink("It opens this part of the conversation.");
    },
    [navigate, copyLink],
  );
  useShortcuts([
    ...jumps.shortcuts,
    ...(stop === null ? [] : [{ keys: "s", does: "Stop turn", run: stop.ask }]),
    {
      keys: "n",
      does: "New conversation",
      run: () => void navigate({ to: "/agents/$agentId/conversations/new", params: { agentId } }),
    },
  ]);

  const pill = <ConversationPill {...{ described, isStopRequested }} since={facts.turnBeganAt} />;
  const rail = (
    <Rail
      conversation={conversation}
      turn={turn}
      search={text}
      onSearch={setText}
      count={jumps.count}
      hasHits={found.rows.length > 0}
      onHit={jumps.toHit}
      onShow={(row) => {
        setRailOpen(false);
        log.current?.show(row);
      }}
      about={<About facts={facts} agentId={agentId} interactionId={interactionId} />}
    />
  );
  const isRead = facts.isRead;
  return (
    <Page
      title={isRead ? `${described.word} · ${name}` : name}
      parents={parentsOf(agentId, agent)}
      heading={
        <span className="flex min-w-0 items-center gap-3">
          <span className="truncate">{shownName(name)}</span>
          {isRead && pill}
          {isRead && !isPhone && <KeptMark keep={keep} />}
        </span>
      }
      live={facts.queryKey}
      actions={
        <ConversationActions
          {...{ facts, agentId, interactionId, keep }}
          missing={missing.conversation}
          onRail={isNarrow ? () => setRailOpen(true) : undefined}
        />
      }
      {...(!isNarrow &&
        isRead && { panel: rail, panelKind: "detail" as const, panelLabel: "Turns and files" })}
    >
      {isRead ? (
        <MarkdownProvider>
          {/* On phones the bar has no room for the name: it stands under it. */}
          <div className="flex items-center gap-3 border-b px-edge-left py-2.5 sm:hidden">
            <span className="min-w-0 flex-1 truncate font-semibold text-heading" aria-hidden="true">
              {shownName(name)}
            </span>
            <span className="flex" aria-hidden="true">
              {pill}
            </span>
            {isPhone && <KeptMark keep={keep} />}
          </div>
          <Stale query={query} />
          {isAgentGone && <AgentGone news={news} of={null} />}
          <Damage damage={facts.damage} />
          <CopyPair of={facts.copyOf} copies={facts.copies} />
          <ConversationLog
            rows={conversation.rows}
            {...{ tail, agent, person, onLink }}
            onCopy={canCopy ? setCopied : undefined}
            isMoving={isMoving && facts.isLive}
            currentHit={jumps.currentHit}
            search={found.text}
            part={search.part}
            onTurn={setTurn}
            handle={log}
          />
          <Reply
            {...{ facts, agentId, interactionId, agent, stop, onSent }}
            offered={isAgentGone ? undefined : (agentRead.data?.data.agent ?? undefined)}
            missing={missing.turn}
          />
        </MarkdownProvider>
      ) : query.isError ? (
        <ConversationUnread query={query} agentId={agentId} interactionId={interactionId} />
      ) : (
        <ConversationSkeleton />
      )}
      {copied?.messageId && (
        <CopyDialog
          {...{ agentId, interactionId }}
          from={{ messageId: copied.messageId, text: saidIn(copied), turn: copied.turn }}
          onClose={() => setCopied(null)}
        />
      )}
      {isNarrow && isRailOpen && <RailSheet onClose={() => setRailOpen(false)}>{rail}</RailSheet>}
    </Page>
  );
}

const saidIn = ({ body }: Row): string => (body.kind === "said" ? body.text : "");

/** Which role the person lacks: to go on in the conversation at all, and for another turn, which takes the agent as well. */
function useMissingTurn(
  { isRead }: Pick<ConversationFacts, "isRead">,
  agentTeam: string | null | undefined,
  interactionId: string,
) {
  const conversation = useMissingRightOf("conversation", isRead ? interactionId : undefined, "operate");
  const agent = useMissingRight(agentTeam, "operate");
  return { conversation, turn: conversation ?? agent };
}

/**
 * Who wrote the messages that are no agent's: the interface tells who began a conversation, not who wrote each message,
 * so only one's own conversation says "You" all through.
 */
function usePersonNames({ creator, known }: ConversationFacts): { first: string; later: string } {
  const me = useSignedIn().credential.userId;
  const isMine = creator?.id ? creator.id === me : known?.provenance === "started-here";
  if (isMine) return { first: "You", later: "You" };
  return { first: personName(creator) ?? "A person", later: "A person" };
}
