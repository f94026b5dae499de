import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { interactionStates, sessionStates } from "../../../contract/states.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { curlOf } from "../../lib/curl.ts";
import { Damage } from "../../lib/failure/Damage.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { OpenById } from "../../lib/OpenById.tsx";
import { useShortcuts } from "../../lib/page/shortcuts.ts";
import { PageSearch } from "../../lib/paging/PageSearch.tsx";
import { shownName, startedVia } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { phone, useMedia } from "../../lib/useMedia.ts";
import { counted } from "../../lib/words.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { NativeSelect } from "../../ui/Field.tsx";
import { PageFoot } from "../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { State } from "../../ui/State.tsx";
import { Table, Td, Th, Tr } from "../../ui/Table.tsx";
import { AgentArtifacts } from "../artifacts/index.ts";
import type { SessionFilters } from "../conversations/index.ts";
import { AgentFrame } from "./AgentFrame.tsx";
import { type AgentSearch, readAgentSearch } from "./search.ts";
import { useConversations } from "./useConversations.ts";

/** One agent: its conversations and its artifacts. */
export function AgentPage({ agentId, search }: { agentId: string; search: AgentSearch }) {
  const navigate = useNavigate({ from: "/agents/$agentId/" });
  const tab = search.tab ?? "conversations";
  const conversations = useConversations(agentId, useFilters(search));
  const isList = tab === "conversations";
  const toNew = { to: "/agents/$agentId/conversations/new", params: { agentId } } as const;
  useShortcuts([{ keys: "n", does: "New conversation", run: () => void navigate(toNew) }]);

  const isUnfiltered = search.q === undefined && search.state === undefined;
  const isCounted = isUnfiltered && conversations.more === null && !conversations.isFirstRead;
  return (
    <AgentFrame
      agentId={agentId}
      active={tab}
      part={isList ? undefined : tab}
      liveKey={isList && conversations.isService ? conversations.queryKey : undefined}
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
  /** A conversation can be begun. */
  takesMessages: boolean;
};

/** The conversations with one agent: those that the service lists, else those that this browser knows, saying which. */
function ConversationList({ agentId, search, conversations, takesMessages }: Props) {
  const navigate = useNavigate({ from: "/agents/$agentId/" });
  const { lines, isService, query } = conversations;
  const change = (part: Partial<Record<keyof AgentSearch, string | undefined>>) =>
    void navigate({ search: (old) => readAgentSearch({ ...old, ...part }), replace: true });
  const isPhone = useMedia(phone);
  const isFiltered = search.q !== undefined || search.state !== undefined;
  const hasFailed = isService && query.isError && query.data === undefined;
  const canStop = useCan("turn_stop");
  const states = Object.entries(isService ? sessionStates : interactionStates).filter(
    ([value]) => canStop || value !== "stopped",
  );
  const open = (interactionId: string) =>
    void navigate({
      to: "/agents/$agentId/conversations/$interactionId",
      params: { agentId, interactionId },
    });
  return (
    <>
      <div className="flex min-h-filters shrink-0 flex-wrap items-center gap-1.5 py-2 pr-edge-right pl-edge-left">
        <PageSearch
          label="Search conversations"
          placeholder={isService ? "Names and messages" : "Names"}
          className="w-60 max-sm:flex-1"
          q={search.q}
          onSearch={(q) => change({ q })}
        />
        <NativeSelect
          look="small"
          aria-label="State"
          className="max-sm:w-[112px]"
          value={search.state ?? ""}
          onChange={(event) => change({ state: event.target.value || undefined })}
        >
          <option value="">Any state</option>
          {states.map(([value, { title }]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </NativeSelect>
      </div>
      {isService && !hasFailed && <Stale query={query} />}
      <Damage damage={conversations.damage} />
      {conversations.isFirstRead && !hasFailed ? (
        <SkeletonRows
          label="Reading conversations"
          rows={6}
          columns={["14px", "80px", "3fr", "90px", "120px"]}
        />
      ) : hasFailed ? (
        <Failure
          error={query.error}
          what="The conversations"
          onRetry={() => void query.refetch()}
          isRetrying={query.isRetrying}
        />
      ) : lines.length === 0 ? (
        <NoConversations {...{ agentId, isFiltered, isService, takesMessages }} />
      ) : isPhone ? (
        <ul aria-label="Conversations" className="border-t">
          {lines.map((line) => (
            <li key={line.id} className="border-b">
              <Link
                to="/agents/$agentId/conversations/$interactionId"
                params={{ agentId, interactionId: line.id }}
                className="focus-inset block px-edge-left py-2"
              >
                <bdi className="block truncate text-left font-medium">{shownName(line.name ?? line.id)}</bdi>
                <span className="flex justify-between gap-3 text-muted text-secondary">
                  <State tone={line.described.tone} word={line.described.word} isPlain />
                  <Ago at={line.createdAt} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <Table label="Conversations">
          <thead>
            <tr>
              <Th className="w-[160px]">State</Th>
              <Th>Conversation</Th>
              <Th className="w-[112px]" sort="descending">
                Started
              </Th>
              {isService && <Th className="w-[160px] @max-[700px]:hidden">By</Th>}
              {isService && <Th className="w-[112px] @max-[840px]:hidden">Started via</Th>}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Tr key={line.id} onClick={() => open(line.id)} className="cursor-default">
                <Td>
                  <State tone={line.described.tone} word={line.described.word} />
                </Td>
                <Td kind="name">
                  <Link
                    to="/agents/$agentId/conversations/$interactionId"
                    params={{ agentId, interactionId: line.id }}
                    onClick={(event) => event.stopPropagation()}
                  >
                    <bdi>{shownName(line.name ?? line.id)}</bdi>
                  </Link>
                </Td>
                <Td kind="muted">
                  <Ago at={line.createdAt} />
                </Td>
                {isService && (
                  <Td kind="muted" className="@max-[700px]:hidden">
                    {line.by ?? "–"}
                  </Td>
                )}
                {isService && (
                  <Td kind="faint" className="@max-[840px]:hidden">
                    {line.type === null ? "–" : startedVia(line.type)}
                  </Td>
                )}
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      <PageFoot more={conversations.more && { label: "Show older", ...conversations.more }}>
        {isService
          ? `${conversations.more ? "The newest " : ""}${counted(lines.length, "conversation")}${isFiltered ? " matching" : ""}`
          : `${counted(lines.length, "conversation")} that this browser knows. This service does not list those that were started elsewhere`}
      </PageFoot>
    </>
  );
}

/** Why there are no conversations, and the next step. */
function NoConversations({
  agentId,
  isFiltered,
  isService,
  takesMessages,
}: {
  agentId: string;
  isFiltered: boolean;
  isService: boolean;
  /** Of an agent that is gone none is begun any more. */
  takesMessages: boolean;
}) {
  const api = useApi();
  const navigate = useNavigate();
  if (isFiltered) {
    return (
      <EmptyState
        title="No matching conversations"
        actions={
          <Link to="/agents/$agentId" params={{ agentId }} className={buttonClass("plain")}>
            Show all conversations
          </Link>
        }
      >
        There are none with these words and in this state.
      </EmptyState>
    );
  }
  if (!takesMessages)
    return <EmptyState title="No conversations known">None can be begun with it any more.</EmptyState>;
  const { userId, teamId } = api.who;
  return (
    <EmptyState
      title="No conversations yet"
      actions={
        <>
          <Link to="/agents/$agentId/conversations/new" params={{ agentId }} className={buttonClass("plain")}>
            New conversation
          </Link>
          <OpenById
            what="conversation"
            onOpen={(interactionId) =>
              void navigate({
                to: "/agents/$agentId/conversations/$interactionId",
                params: { agentId, interactionId },
              })
            }
          />
        </>
      }
      curl={curlOf({
        method: "POST",
        url: new URL(`${api.base}/start_agent`, location.href).href,
        body: {
          gummie_id: agentId,
          message: "What can you do?",
          ...(userId && { user_id: userId }),
          ...(teamId && { project_id: teamId }),
        },
      })}
    >
      {isService
        ? "Conversations that you or your team start with this agent appear here."
        : "Conversations that you begin or open in this browser appear here. This service does not list those that were started elsewhere; paste a conversation id to add one."}
    </EmptyState>
  );
}
