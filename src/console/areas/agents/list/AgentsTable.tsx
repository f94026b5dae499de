import { Link } from "@tanstack/react-router";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useEffect, useRef, useState } from "react";
import { Ago } from "../../../lib/time/Time.tsx";
import { StateShape, toneWord } from "../../../ui/State.tsx";
import { GroupHead, GroupRow, Table, Td, Th, Tr } from "../../../ui/Table.tsx";
import { AgentAvatar, type AgentIn, Person } from "../../directory/index.ts";
import { agentName, modelLabel } from "../labels.ts";
import type { AgentOrder } from "../search.ts";
import { useConversations } from "../useConversations.ts";
import { type AgentGroup, useIsOffered } from "./useAgentList.ts";

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
  if (isOffered(model)) return modelLabel(model);
  return (
    <span
      className="inline-flex items-center gap-1.5 text-state-stopped-fg"
      title={`${model} is not offered here`}
    >
      <TriangleAlert /> not offered
    </span>
  );
}

/** The agents list on phones: name and last conversation, then model and version. */
export function AgentsRows({ groups }: { groups: readonly AgentGroup[] }) {
  const isOffered = useIsOffered();
  return (
    <div className="border-t">
      {groups.map((group) => (
        <section key={group.of} aria-label={group.name}>
          {groups.length > 1 && (
            <h2 className="flex h-row-group items-center border-b bg-surface-sunken px-edge-left">
              <GroupHead name={group.name} count={group.agents.length} />
            </h2>
          )}
          <ul>
            {group.agents.map((agent) => (
              <li key={agent.id} className="relative flex items-start gap-3 border-b px-edge-left py-2">
                <AgentAvatar
                  name={agentName(agent)}
                  metadata={agent.metadata}
                  className="mt-1 size-7! text-[11px]!"
                />
                <span className="min-w-0 flex-1">
                  <Link
                    to="/agents/$agentId"
                    params={{ agentId: agent.id }}
                    className="focus-inset block truncate font-medium after:absolute after:inset-0"
                  >
                    <bdi>{agentName(agent)}</bdi>
                  </Link>
                  <span className="block truncate text-muted text-secondary">
                    <Model agent={agent} isOffered={isOffered} />
                    {agent.version != null && `, version ${agent.version}`}
                  </span>
                </span>
                <span className="relative shrink-0 text-muted text-secondary leading-5">
                  <LastConversation agentId={agent.id} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const none = {};

/** The newest conversation with an agent, asked for once its row comes into view. */
function LastConversation({ agentId }: { agentId: string }) {
  const [place, isSeen] = useSeen();
  return (
    <span ref={place}>{isSeen ? <Newest agentId={agentId} /> : <span className="text-faint">…</span>}</span>
  );
}

function Newest({ agentId }: { agentId: string }) {
  const { lines, isFirstRead, query } = useConversations(agentId, none, 5);
  // One in which the agent works says more than one that was begun later.
  const line = lines.find((one) => one.described.tone === "running") ?? lines[0];
  if (isFirstRead)
    return query.isError ? (
      <span className="text-faint">not read</span>
    ) : (
      <span className="text-faint">…</span>
    );
  if (!line) return <span className="text-faint">none yet</span>;
  const { tone, word } = line.described;
  return (
    <Link
      to="/agents/$agentId/conversations/$interactionId"
      params={{ agentId, interactionId: line.id }}
      onClick={(event) => event.stopPropagation()}
      title={line.name ?? undefined}
      className="hit inline-flex items-baseline gap-2"
    >
      <StateShape tone={tone} label={word} className="self-center" />
      <span className={tone === "done" ? "" : `${toneWord[tone]} font-medium`}>
        {tone === "running" && `${word}, `}
        <Ago at={line.createdAt} suffix={tone === "running" ? "" : " ago"} />
      </span>
    </Link>
  );
}

/** Whether an element has come near the view; true at once where the browser cannot tell. */
function useSeen() {
  const place = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(typeof IntersectionObserver === "undefined");
  useEffect(() => {
    const element = place.current;
    if (isSeen || !element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
      { rootMargin: "100px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isSeen]);
  return [place, isSeen] as const;
}
