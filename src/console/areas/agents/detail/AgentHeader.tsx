import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { dottedClass } from "../../../ui/dottedClass.ts";
import { Id } from "../../../ui/Id.tsx";
import { AgentAvatar, personName } from "../../directory/index.ts";

import { useTeamName } from "../useTeamName.ts";
import { agentName } from "../words.ts";
import { AgentActs } from "./AgentActs.tsx";

type Props = {
  agent: Received<Agent>;
  agentId: string;
  /** It can no longer be changed. */
  isGone?: boolean;
  /** On its first page what it is for is told; on the others its tabs stand where they do over its settings. */
  isFirst: boolean;
};

/** What the agent is, over everything else of it, and what can be done with the whole of it. */
export function AgentHeader({ agent, agentId, isGone = false, isFirst }: Props) {
  const name = agentName({ id: agentId, name: agent.name });
  const by = personName(agent.creator);
  const team = useTeamName(agent.team_id) ?? "Yours";
  const acts = !isGone && <AgentActs agent={agent} agentId={agentId} name={name} />;
  if (!isFirst)
    return (
      <header className="flex shrink-0 items-start gap-3 pt-3 pr-edge-right pb-1 pl-edge-left">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
          <h2 className="min-w-0 break-words text-title">
            <bdi>{name}</bdi>
          </h2>
          <p className={metaClass}>
            <span>{team}</span>
            {agent.version != null && <span>version {agent.version}</span>}
            <span>{agent.model_name ?? "model not given"}</span>
          </p>
        </div>
        {acts}
      </header>
    );
  return (
    <header className="flex shrink-0 items-start gap-3.5 py-3.5 pr-edge-right pl-edge-left">
      <AgentAvatar name={name} metadata={agent.metadata} className="mt-0.5 size-9! text-[12px]!" />
      <div className="min-w-0 flex-1">
        <h2 className="break-words text-title">
          <bdi>{name}</bdi>
        </h2>
        {agent.description && <p className="max-w-text break-words text-muted">{agent.description}</p>}
        <p className={`mt-1 ${metaClass}`}>
          <span>
            <Id id={agentId} what="agent id" className="text-default" />
          </span>
          <span>{team}</span>
          {agent.version != null && <span>version {agent.version}</span>}
          <span>{agent.model_name ?? "model not given"}</span>
          {agent.created_at && (
            <span className="max-sm:hidden">
              made <Ago at={agent.created_at} />
              {by !== null && ` by ${by}`}
            </span>
          )}
        </p>
      </div>
      {acts}
    </header>
  );
}

const metaClass = `text-muted text-secondary ${dottedClass}`;
