import { useState } from "react";
import { isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { ListSelect } from "../../lib/list/ListSelect.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { useTeamsWith } from "../../lib/rights/rights.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Tooltip } from "../../ui/Tooltip.tsx";
import { AgentMissing, agentQueries } from "../directory/index.ts";
import { ownersOf, useSignedIn } from "../session/index.ts";
import { parentsOf } from "./ConversationState.tsx";
import { FirstMessage } from "./FirstMessage.tsx";

/** The first message of a conversation. */
export function NewConversationPage({ agentId }: { agentId: string }) {
  const api = useApi();
  const options = agentQueries.one(api, agentId);
  const read = useRead(options);
  const agent = read.data?.data.agent;
  // Its id would stand where its name comes a moment later.
  const name = agent?.name || (read.isPending ? "the agent" : agentId);
  const [projectId, setProjectId] = useState(api.who.teamId ?? null);
  const hasFailed = read.isError && read.data === undefined;
  return (
    <Page
      title={`New conversation · ${name}`}
      parents={parentsOf(agentId, name)}
      heading="New conversation"
      live={options.queryKey}
    >
      {!hasFailed && <Stale query={read} />}
      {hasFailed && isNotFound(read.error) ? (
        <AgentMissing agentId={agentId} error={read.error} />
      ) : (
        <>
          <div className="min-h-0 flex-1 overflow-y-auto">
            {hasFailed ? (
              <ReadFailure query={read} what="The agent" />
            ) : (
              !read.isPending && (
                <EmptyState title="No messages yet" className="sm:pl-[136px]">
                  <p className="whitespace-pre-line">
                    {agent?.description || "Send a message to start the conversation."}
                  </p>
                </EmptyState>
              )
            )}
          </div>
          <div className="shrink-0 border-t pt-2.5 pr-5 pb-3 pl-edge-left max-sm:pr-edge-left sm:pl-[136px]">
            <FirstMessage
              agentId={agentId}
              name={name}
              agent={agent ?? undefined}
              projectId={projectId}
              page={{
                note: (isKept) => (
                  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                    <BelongsTo projectId={projectId} onChange={setProjectId} />
                    {isKept ? (
                      <span>Draft saved</span>
                    ) : (
                      <span className="max-sm:hidden">Enter to send, Shift+Enter for a new line</span>
                    )}
                  </span>
                ),
              }}
            />
          </div>
        </>
      )}
    </Page>
  );
}

type Props = { projectId: string | null; onChange: (projectId: string | null) => void };

/** Whose the conversation will be: only the person's, or a team's, so that its members may read and continue it. */
function BelongsTo({ projectId, onChange }: Props) {
  const { only, teams: all } = ownersOf(useSignedIn());
  const { teams, leftOut } = useTeamsWith(all, "operate");
  if (only !== null) return <span>For {only}</span>;
  if (teams.length === 0) return <span title={leftOut}>Only for you</span>;
  return (
    <Tooltip
      content={`All members of a team can read its conversations; operators, editors and admins can continue them. ${leftOut ?? ""}`}
    >
      <ListSelect
        label="Who can read and continue it"
        value={projectId ?? undefined}
        options={[["", "Only for you"], ...teams.map(({ id, name }) => [id, `For ${name}`] as const)]}
        onChange={(id) => onChange(id ?? null)}
      />
    </Tooltip>
  );
}
