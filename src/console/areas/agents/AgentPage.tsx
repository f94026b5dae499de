import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { startAgent } from "../../../contract/interactions.ts";
import { interactionStates, sessionStates } from "../../../contract/states.ts";
import { ownerOf } from "../../api/connection.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { curlOfCall } from "../../lib/curl.ts";
import { useDeletionWords } from "../../lib/keep/deletion.ts";
import { ListSelect } from "../../lib/list/ListSelect.tsx";
import { ListTools } from "../../lib/list/ListTools.tsx";
import { isRead, TableList } from "../../lib/list/ListView.tsx";
import { NoMatches } from "../../lib/list/NoMatches.tsx";
import { OpenById } from "../../lib/OpenById.tsx";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { useShortcuts } from "../../lib/page/shortcuts.ts";
import type { More } from "../../lib/paging/usePages.ts";
import { shownName, startedVia } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { State } from "../../ui/State.tsx";
import type { Columns } from "../../ui/Table.tsx";
import { AgentArtifacts } from "../artifacts/index.ts";
import type { SessionFilters } from "../conversations/index.ts";
import { Person } from "../directory/index.ts";
import { AgentFrame } from "./AgentFrame.tsx";
import { type AgentSearch, readAgentSearch } from "./search.ts";
import { type ConversationLine, toConversation, useConversations } from "./useConversations.ts";

/** One agent: its conversations and its artifacts. */
export function AgentPage({ agentId, search }: { agentId: string; search: AgentSearch }) {
  const navigate = useNavigate({ from: "/agents/$agentId/" });
  const tab = search.tab ?? "conversations";
  const conversations = useConversations(agentId, useFilters(search));
  const isList = tab === "conversations";
  const toNew = { to: "/agents/$agentId/conversations/new", params: { agentId } } as const;
  useShortcuts([{ keys: "n", does: "New conversation", run: () => void navigate(toNew) }]);

  const isUnfiltered = search.q === undefined && search.state === undefined;
  const isCounted = isUnfiltered && conversations.more === null && isRead(conversations);
  return (
    <AgentFrame
      agentId={agentId}
      active={tab}
      part={isList ? undefined : tab}
      liveKey={isList ? conversations.query?.queryKey : undefined}
      conversations={isCounted ? conversations.lines.length : undefined}
    >
      {(_agent, _name, isGone) =>
        isList ? (
          <ConversationList
            agentId={agentId}
            search={search}
            conversations={conversations}
            takesMessages={!isGone}
          />
        ) : (
          <AgentArtifacts agentId={agentId} search={search} />
        )
      }
    </AgentFrame>
  );
}

/** What the service is asked for; the same object for the same address. */
function useFilters({ q, state }: AgentSearch): SessionFilters {
  return useMemo(
    () => ({ ...(q !== undefined && { search: q }), ...(state !== undefined && { state }) }),
    [q, state],
  );
}

type Props = {
  agentId: string;
  search: AgentSearch;
  conversations: ReturnType<typeof useConversations>;
  /** A conversation can be begun: of an agent that is gone none is. */
  takesMessages: boolean;
};

/** The conversations with one agent: those that the service lists, else those that this browser knows, saying which. */
function ConversationList({ agentId, search, conversations, takesMessages }: Props) {
  const navigate = useNavigate({ from: "/agents/$agentId/" });
  const { lines, isService, more } = conversations;
  const change = (part: Partial<Record<keyof AgentSearch, string | undefined>>) =>
    void navigate({ search: (old) => readAgentSearch({ ...old, ...part }), replace: true });
  const isFiltered = search.q !== undefined || search.state !== undefined;
  const isWhole = isService && isRead(conversations) && !more && !isFiltered;
  const deletion = useDeletionWords("conversations", isWhole);
  const canStop = useCan("turn_stop");
  const states = Object.entries(isService ? sessionStates : interactionStates).flatMap(
    ([value, { title }]) => (canStop || value !== "stopped" ? [[value, title] as const] : []),
  );
  const open = (id: string) => void navigate(toConversation(agentId, { id }));
  return (
    <>
      <ListTools
        search={{
          label: "Search conversations",
          placeholder: isService ? "Names and messages" : "Names",
          q: search.q,
          onSearch: (q) => change({ q }),
        }}
      >
        <ListSelect
          label="State"
          className="max-sm:w-[112px]"
          value={search.state}
          options={[["", "Any state"], ...states]}
          onChange={(state) => change({ state })}
        />
      </ListTools>
      <TableList
        list={conversations}
        what="The conversations"
        table={{
          label: "Conversations",
          columns: columns(agentId, isService),
          rows: lines,
          idOf: ({ id }) => id,
          onRow: ({ id }) => open(id),
        }}
        phone={(line) => (
          <Link {...toConversation(agentId, line)} className="focus-inset block px-edge-left py-2">
            <bdi className="block truncate text-left font-medium">{shownName(line.name ?? line.id)}</bdi>
            <span className="flex justify-between gap-3 text-muted text-secondary">
              <State tone={line.described.tone} word={line.described.word} isPlain />
              <Ago at={line.createdAt} />
            </span>
          </Link>
        )}
        empty={
          <NoConversations
            {...{ agentId, isFiltered, isService, more, takesMessages }}
            onClear={() => change({ q: undefined, state: undefined })}
          />
        }
        foot={
          isService
            ? [
                `${more ? "The newest " : ""}${counted(lines.length, "conversation")}${isFiltered ? " matching" : ""}`,
                ...(deletion === null ? [] : [deletion]),
              ].join(". ")
            : `${counted(lines.length, "conversation")} in local history. This service does not list conversations started elsewhere`
        }
      />
    </>
  );
}

const columns = (agentId: string, isService: boolean): Columns<ConversationLine> => ({
  state: {
    head: "State",
    width: 160,
    cell: ({ described }) => <State tone={described.tone} word={described.word} />,
  },
  conversation: {
    head: "Conversation",
    kind: "name",
    cell: (line) => (
      <Link {...toConversation(agentId, line)}>
        <bdi>{shownName(line.name ?? line.id)}</bdi>
      </Link>
    ),
  },
  started: {
    head: "Started",
    width: 112,
    sort: "descending",
    kind: "muted",
    cell: (line) => <Ago at={line.createdAt} />,
  },
  by: isService && {
    head: "By",
    width: 160,
    kind: "muted",
    className: "@max-[700px]:hidden",
    cell: (line) => <Person of={line.by} />,
  },
  via: isService && {
    head: "Started via",
    width: 112,
    kind: "faint",
    className: "@max-[840px]:hidden",
    cell: ({ type }) => (type === null ? "–" : startedVia(type)),
  },
});

type NoneProps = Pick<Props, "agentId" | "takesMessages"> & {
  isFiltered: boolean;
  isService: boolean;
  /** A service looks through a long history part by part, and may find nothing in the first. */
  more: More | null;
  onClear: () => void;
};

/** Why there are no conversations, and the next step. */
function NoConversations({ agentId, isFiltered, isService, more, onClear, takesMessages }: NoneProps) {
  const api = useApi();
  const navigate = useNavigate();
  if (isFiltered) {
    return (
      <NoMatches what="conversations" more={more} onClear={onClear}>
        Try other words or another state.
      </NoMatches>
    );
  }
  if (!takesMessages)
    return <EmptyState title="No conversations">This agent takes no new conversations.</EmptyState>;
  return (
    <EmptyState
      title="No conversations yet"
      actions={
        <>
          <LinkButton to="/agents/$agentId/conversations/new" params={{ agentId }}>
            New conversation
          </LinkButton>
          <OpenById what="conversation" onOpen={(id) => void navigate(toConversation(agentId, { id }))} />
        </>
      }
      curl={curlOfCall(api, startAgent, {
        body: { gummie_id: agentId, message: "What can you do?", ...ownerOf(api) },
      })}
    >
      {isService
        ? "Conversations you or your team start with this agent appear here."
        : "Conversations you start or open in this browser appear here. This service does not list conversations started elsewhere; paste a conversation ID to add one."}
    </EmptyState>
  );
}
