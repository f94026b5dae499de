import { Link } from "@tanstack/react-router";
import { useApi } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { isRead } from "../../../lib/list/ListView.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { PanelHead } from "../../../lib/page/PanelHead.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { DefinitionList } from "../../../ui/DefinitionList.tsx";
import { Id } from "../../../ui/Id.tsx";
import { PanelSection } from "../../../ui/Panel.tsx";
import { StateShape } from "../../../ui/State.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { FirstMessage } from "../../conversations/index.ts";
import { AgentAvatar, type AgentIn, agentQueries, Person } from "../../directory/index.ts";
import { agentName, useTeamName } from "../labels.ts";
import { ToolLines } from "../tools/ToolNames.tsx";
import { toConversation, useConversations } from "../useConversations.ts";

type Props = { agentId: string; summary: AgentIn | undefined; onClose: () => void };

const shown = 5;
const none = {};

/** The selected agent without leaving the list: what it is, its last conversations, its tools, and a field to talk to it. */
export function AgentPanel({ agentId, summary, onClose }: Props) {
  const api = useApi();
  const read = useRead(agentQueries.one(api, agentId));
  const whole = read.data?.data.agent;
  const agent = whole ?? summary;
  const name = agentName({ id: agentId, name: agent?.name });
  const conversations = useConversations(agentId, none);
  const team = useTeamName(agent?.team_id);
  const tools = whole?.tools ?? [];
  const unread = <span className="text-faint">{read.isError ? "could not be loaded" : "loading…"}</span>;
  return (
    <div className="flex min-h-full flex-col">
      <PanelHead
        back="Back to agents"
        page={{ link: { to: "/agents/$agentId", params: { agentId } }, label: "Open the agent" }}
        onClose={onClose}
        picture={<AgentAvatar name={name} metadata={agent?.metadata} className="size-8! text-[11px]!" />}
        name={name}
        about={
          <>
            {agent !== undefined && (team ?? "Yours")}
            {agent?.creator && (
              <>
                , by <Person of={agent.creator} />
              </>
            )}
          </>
        }
      >
        {agent?.description && (
          <p className="mt-2 whitespace-pre-line break-words text-muted">{agent.description}</p>
        )}
        <DefinitionList
          className="mt-2.5"
          nameWidth={76}
          rows={[
            {
              key: "model",
              name: "Model",
              value: agent ? <code className="text-mono">{agent.model_name ?? "unknown"}</code> : unread,
            },
            { key: "version", name: "Version", value: agent ? (agent.version ?? "unknown") : unread },
            { key: "id", name: "ID", value: <Id id={agentId} what="agent ID" cut={[14, 5]} /> },
          ]}
        />
        <div className="mt-2.5 flex flex-wrap gap-2">
          <LinkButton to="/agents/$agentId/settings" params={{ agentId }} size="small">
            Settings
          </LinkButton>
          <LinkButton to="/agents/$agentId/versions" params={{ agentId }} size="small">
            Versions
          </LinkButton>
        </div>
      </PanelHead>
      <PanelSection
        title={conversations.isService ? "Recent conversations" : "Conversations in local history"}
        aside={
          conversations.lines.length > 0 && (
            <Link to="/agents/$agentId" params={{ agentId }} className={linkClass}>
              All{conversations.more ? "" : ` ${conversations.lines.length}`}
            </Link>
          )
        }
      >
        {conversations.lines.length === 0 ? (
          <p className="text-faint">
            {isRead(conversations)
              ? "none yet"
              : conversations.query?.isError
                ? "could not be loaded"
                : "loading…"}
          </p>
        ) : (
          <ul>
            {conversations.lines.slice(0, shown).map((line) => (
              <li key={line.id}>
                <Link
                  {...toConversation(agentId, line)}
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
        )}
      </PanelSection>
      <PanelSection title="Tools" aside={tools.length > 0 && tools.length}>
        {read.isError && !whole ? (
          <ReadFailure query={read} isInset what="The configuration" />
        ) : tools.length > 0 ? (
          <ToolLines tools={tools} />
        ) : (
          <p className="text-faint">{whole ? "none: it only answers" : "loading…"}</p>
        )}
      </PanelSection>
      <div className="sticky bottom-0 mt-auto border-t bg-surface px-edge-left py-3">
        <FirstMessage agentId={agentId} name={name} agent={agent} projectId={api.who.teamId} />
      </div>
    </div>
  );
}
