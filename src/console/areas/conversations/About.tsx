import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { shownName, startedVia } from "../../lib/shownName.ts";
import { ClockTime } from "../../lib/time/Time.tsx";
import { DefinitionList } from "../../ui/DefinitionList.tsx";
import { Id } from "../../ui/Id.tsx";
import { plainLinkClass } from "../../ui/linkClass.ts";
import { agentQueries, Person } from "../directory/index.ts";

import type { ConversationFacts } from "./useConversation.ts";

type Props = { facts: ConversationFacts; agentId: string; interactionId: string };

/** What a conversation is: with which agent, on which model, since when, for how much. */
export function About({ facts, agentId, interactionId }: Props) {
  const agent = useQuery(agentQueries.one(useApi(), agentId)).data?.data.agent;
  const { creator, usage, createdTs, type } = facts;
  const rows: { key: string; name: string; value: ReactNode }[] = [
    {
      key: "agent",
      name: "Agent",
      value: (
        <Link to="/agents/$agentId" params={{ agentId }} className={plainLinkClass}>
          {shownName(agent?.name ?? facts.agentName ?? agentId)}
        </Link>
      ),
    },
    ...(agent?.version == null ? [] : [{ key: "version", name: "Version", value: `${agent.version} now` }]),
    ...(agent
      ? [
          {
            key: "model",
            name: "Model",
            value: <code className="text-mono">{agent.model_name ?? "not given"}</code>,
          },
        ]
      : []),
    { key: "id", name: "Id", value: <Id id={interactionId} what="conversation id" cut={[9, 5]} /> },
    ...(createdTs === null
      ? []
      : [
          {
            key: "started",
            name: "Started",
            value: (
              <>
                <ClockTime at={createdTs} />
                {creator && (
                  <>
                    {" "}
                    by <Person of={creator} copies />
                  </>
                )}
              </>
            ),
          },
        ]),
    ...(type === null ? [] : [{ key: "type", name: "Started via", value: startedVia(type) }]),
    ...(usage?.input_tokens == null
      ? []
      : [
          {
            key: "tokens",
            name: "Tokens",
            value: (
              <span className="tabular-nums">
                {usage.input_tokens.toLocaleString("en-GB")} in,{" "}
                {(usage.output_tokens ?? 0).toLocaleString("en-GB")} out
              </span>
            ),
          },
        ]),
    ...(usage?.credit_cost == null
      ? []
      : [{ key: "credits", name: "Credits", value: usage.credit_cost.toLocaleString("en-GB") }]),
  ];
  return <DefinitionList nameWidth={76} rows={rows} />;
}
