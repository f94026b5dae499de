import { Link } from "@tanstack/react-router";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { GroupRow, Table, Td, Th, Tr } from "../../../ui/Table.tsx";
import { AgentAvatar, Person } from "../../directory/index.ts";

import type { AgentIn, AgentOrder } from "../useAgentList.ts";
import { useIsOffered } from "../useModels.ts";
import { agentName, modelWord } from "../words.ts";
import type { AgentGroup } from "./groups.ts";
import { LastConversation } from "./LastConversation.tsx";

type Props = {
  groups: readonly AgentGroup[];
  selected: string | undefined;
  sort: AgentOrder;
  onSort: (sort: AgentOrder) => void;
  onSelect: (agentId: string) => void;
};

/** Agents in groups: name and what it does, model, last conversation, version. */
export function AgentsTable({ groups, selected, sort, onSort, onSelect }: Props) {
  const isOffered = useIsOffered();
  return (
    <Table label="Agents">
      <thead>
        <tr>
          <Th
            sort={sort === "name_asc" ? "ascending" : sort === "name_desc" ? "descending" : undefined}
            onSort={() => onSort(sort === "name_asc" ? "name_desc" : "name_asc")}
          >
            Agent
          </Th>
          <Th className="w-[160px] @max-[680px]:hidden">Model</Th>
          <Th className="w-[156px]">Last conversation</Th>
          <Th className="w-[140px] @max-[820px]:hidden">Made by</Th>
          <Th isFigure className="w-[72px]">
            Version
          </Th>
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={group.of}>
          {groups.length > 1 && <GroupRow name={group.name} count={group.agents.length} />}
          {group.agents.map((agent) => (
            <Tr
              key={agent.id}
              data-agent={agent.id}
              isSelected={agent.id === selected}
              onClick={() => onSelect(agent.id)}
              className="cursor-default"
            >
              <Td title={agent.description ?? undefined}>
                <span className="flex items-baseline gap-3">
                  <AgentAvatar
                    name={agentName(agent)}
                    metadata={agent.metadata}
                    className="-my-1 self-center"
                  />
                  <span className="truncate">
                    <Link
                      to="/agents/$agentId"
                      params={{ agentId: agent.id }}
                      onClick={(event) => event.stopPropagation()}
                      className="font-medium"
                    >
                      <bdi>{agentName(agent)}</bdi>
                    </Link>
                    <span className="ml-2.5 text-muted text-secondary">{agent.description}</span>
                  </span>
                </span>
              </Td>
              <Td kind="support" className="@max-[680px]:hidden" title={agent.model_name ?? undefined}>
                <Model agent={agent} isOffered={isOffered} />
              </Td>
              <Td kind="muted">
                <LastConversation agentId={agent.id} />
              </Td>
              <Td kind="support" className="@max-[820px]:hidden">
                <Person of={agent.creator} />
              </Td>
              <Td kind="figure" className="text-muted">
                {agent.version ?? "–"}
              </Td>
            </Tr>
          ))}
        </tbody>
      ))}
    </Table>
  );
}

/** A model by its short name; one that is no longer offered says so. */
export function Model({ agent, isOffered }: { agent: AgentIn; isOffered: (model: string) => boolean }) {
  const model = agent.model_name;
  if (!model) return <span className="text-faint">not given</span>;
  if (isOffered(model)) return modelWord(model);
  return (
    <span
      className="inline-flex items-center gap-1.5 text-state-stopped-fg"
      title={`${model} is not offered here`}
    >
      <TriangleAlert /> not offered
    </span>
  );
}
