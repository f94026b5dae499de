import { useQueries } from "@tanstack/react-query";
import { useApi, useCan } from "../../lib/api.tsx";
import type { KnownConversation } from "../../lib/history/known-conversation.ts";
import { usePages } from "../../lib/paging/usePages.ts";
import { useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { isolated } from "../../lib/shownText.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted, grouped } from "../../lib/words.ts";
import { agentQueries, Person } from "../directory/index.ts";
import { evaluationQueries, type Graded, readGraded } from "../evaluations/index.ts";
import {
  agentName,
  inboxQueries,
  inputWords,
  isSource,
  type QuestionIn,
  serverWords,
  toolName,
  waitingForMe,
} from "../inbox/index.ts";
import { creditWords, type SourceIn, sourceName, useSources } from "../knowledge/index.ts";
import {
  connectionWords,
  failureParts,
  type ServerNeed,
  serverName,
  useServerNeeds,
  useServers,
  waitWords,
} from "../mcp/index.ts";
import { WorkGroup, WorkRow } from "./WorkRow.tsx";

/** What waits for this person beside runs: calls to answer, servers to sign in to, drafts to approve, grades that need attention. */
export function Needs({ needs }: { needs: NeedsRead }) {
  const hasInbox = useCan("inbox");
  const shown = needs.questions.slice(0, mostQuestions);
  return (
    <>
      <WorkGroup
        name="Questions waiting for you"
        count={needs.asked}
        remark="agents and flows go on once you answer"
      >
        {shown.map((question) => (
          <WorkRow
            key={question.id}
            tone="waiting"
            title={`${isolated(agentName(question))}: ${isolated(toolName(question))}`}
            why={
              question.kind === "flow"
                ? isolated(inputWords(question)) ||
                  `asked by ${isolated(shownName(question.run?.node ?? "a node"))}`
                : `${isolated(serverWords(question) ?? "built-in tool")}, ${isolated(question.arguments_preview ?? "")}`
            }
            age={<Ago at={question.asked_at} />}
            link={{ to: "/inbox/$itemId", params: { itemId: question.id } }}
            action={{ label: "Review" }}
          />
        ))}
        {needs.asked > shown.length && (
          <WorkRow
            tone="waiting"
            title={`${grouped(needs.asked - shown.length)} more in the inbox`}
            why="oldest first"
            link={{ to: "/inbox" }}
            action={{ label: "Open" }}
          />
        )}
      </WorkGroup>
      <WorkGroup
        name="MCP servers"
        count={needs.servers.length}
        remark="your agents and runs can’t call them"
      >
        {needs.servers.map((need) => (
          <WorkRow
            key={need.row.id}
            tone={connectionWords(need.isMine ? need.row.mine : need.row.team)?.tone ?? "waiting"}
            title={`${isolated(serverName(need.row.server))} ${waitWords[need.waits]}`}
            why={whyOf(need)}
            weight={
              need.agents === null
                ? ""
                : need.agents === 0
                  ? "not used by agents"
                  : counted(need.agents, "agent uses it", "agents use it")
            }
            link={{ to: "/mcp", search: { server: need.row.id } }}
            action={{ label: asksForSignIn(need) ? "Sign in" : "Review" }}
          />
        ))}
      </WorkGroup>
      <WorkGroup
        name="Waiting for your approval"
        count={needs.sources.length}
        remark="approving charges credits"
      >
        {needs.sources.map((source) => (
          <WorkRow
            key={source.id}
            tone="waiting"
            title={isolated(sourceName(source))}
            why={
              <>
                Created by <Person id={source.created_by_user_id} of={source.creator} />
                {typeof source.document_count === "number" &&
                  `, ${counted(source.document_count, "document")}`}
              </>
            }
            weight={typeof source.estimated_credits === "number" ? creditWords(source.estimated_credits) : ""}
            age={<Ago at={source.created_at} />}
            link={
              hasInbox
                ? { to: "/inbox/$itemId", params: { itemId: source.id }, search: { kind: "source" } }
                : { to: "/knowledge/$sourceId", params: { sourceId: source.id } }
            }
            action={{ label: "Review" }}
          />
        ))}
      </WorkGroup>
      <WorkGroup name="Graded “needs attention”" count={needs.grades.length} remark="in the last 24 hours">
        {needs.grades.map((grade) => (
          <WorkRow
            key={grade.agentId}
            tone="failed"
            title={`${isolated(grade.name)}: ${counted(grade.count, grade.noun)}`}
            why={`of ${counted(grade.of, grade.noun)}`}
            link={{
              to: "/agents/$agentId/evaluations",
              params: { agentId: grade.agentId },
              search: { days: 7, grade: "needs_attention" },
            }}
            action={{ label: "View" }}
          />
        ))}
      </WorkGroup>
    </>
  );
}

/** Whether a sign-in is what it waits for; a changed tool or a missing answer asks for a look. */
const asksForSignIn = ({ waits }: ServerNeed): boolean => waits === "sign-in" || waits === "sign-in-again";

/** Why it does not answer, else what it is for. */
function whyOf({ row, waits, isMine }: ServerNeed): string {
  const failure = (isMine ? row.mine : row.team)?.connection?.failure;
  if (waits === "no-answer" && failure) return failureParts(failure).sentence;
  return isolated(row.server.description ?? "");
}

/** A conversation whose last turn failed, with everything that its link needs. */
export type FailedConversation = KnownConversation & {
  agentId: string;
  interactionId: string;
  /** When its last turn began, as far as this browser knows; ms since 1970. */
  at: number;
};

/** Conversations of this person whose last turn failed in the last day. */
export function FailedConversations({ conversations }: { conversations: readonly FailedConversation[] }) {
  return (
    <WorkGroup
      name="Failed turns"
      label="Failed conversations"
      count={conversations.length}
      remark="you can continue the conversation"
    >
      {conversations.map((one) => (
        <WorkRow
          key={one.id}
          tone="failed"
          title={isolated(shownName(one.name ?? one.interactionId))}
          why={`with ${isolated(shownName(one.agentName ?? one.agentId))}`}
          age={<Ago at={new Date(one.at).toISOString()} />}
          link={{
            to: "/agents/$agentId/conversations/$interactionId",
            params: { agentId: one.agentId, interactionId: one.interactionId },
          }}
        />
      ))}
    </WorkGroup>
  );
}

/** Conversations of an agent (or results, where the service may count those) that were graded "needs attention" in the last day. */
interface GradeNeed {
  readonly agentId: string;
  readonly name: string;
  readonly noun: Graded["noun"];
  readonly count: number;
  /** All that were graded in that day. */
  readonly of: number;
}

/** So many agents are looked at for their grades. */
const mostAgents = 30;

/** So many calls are listed one by one. */
const mostQuestions = 5;

/** What waits for this person beside runs and conversations: calls, servers, approvals and grades. */
export function useNeeds() {
  const api = useApi();
  const { rows } = useServers();
  const sources = useSources();
  const { rows: waiting, more } = usePages(waitingForMe(api), { enabled: useCan("inbox") });
  const inAll = useRead({ ...inboxQueries.count(api), enabled: more !== null }).data?.data.waiting ?? 0;
  // Sources have a group of their own, which is there without an inbox as well.
  const questions: readonly QuestionIn[] = waiting.filter((one) => !isSource(one));
  const agents = useRead(agentQueries.list(api, { sort_order: "name_asc" })).data?.data.agents ?? [];
  const shown = agents
    .flatMap((one) => (one?.id ? [{ id: one.id, name: shownName(one.name || one.id) }] : []))
    .slice(0, mostAgents);
  const metrics = useQueries({ queries: shown.map(({ id }) => evaluationQueries.metrics(api, id, 1)) });

  const servers = useServerNeeds(rows);
  const grades = shown.flatMap((agent, at): GradeNeed[] => {
    const read = metrics[at]?.data?.data;
    if (!read) return [];
    const { counts, noun, total } = readGraded(read, undefined);
    const count = counts.get("needs_attention") ?? 0;
    return count > 0 ? [{ agentId: agent.id, name: agent.name, noun, count, of: total }] : [];
  });
  const waits: readonly SourceIn[] = sources.groups.find((group) => group.key === "waits")?.sources ?? [];
  const put = sources.groups.find((group) => group.key === "later")?.sources.length ?? 0;
  // Of more than a page only the count is known, and sources are in it.
  const asked = Math.max(questions.length, more === null ? 0 : inAll - waits.length - put);
  const count = asked + servers.length + waits.length + grades.length;
  return { questions, asked, servers, sources: waits, grades, count };
}

type NeedsRead = ReturnType<typeof useNeeds>;
