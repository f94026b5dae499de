import { Link } from "@tanstack/react-router";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { Ago } from "../../../lib/time/Time.tsx";
import { useSeen } from "../../../lib/useSeen.ts";
import { StateShape, toneWord } from "../../../ui/State.tsx";
import type { Columns } from "../../../ui/Table.tsx";
import { AgentAvatar, type AgentIn, Person } from "../../directory/index.ts";
import { agentName, modelLabel } from "../labels.ts";
import type { AgentOrder } from "../search.ts";
import { toConversation, useConversations } from "../useConversations.ts";

type Shown = {
  isOffered: (model: string) => boolean;
  sort: AgentOrder;
  onSort: (sort: AgentOrder) => void;
};

/** Name and what it does, model, last conversation, maker, version. */
export const agentColumns = ({ isOffered, sort, onSort }: Shown): Columns<AgentIn> => ({
  agent: {
    head: "Agent",
    sort: sort === "name_asc" ? "ascending" : sort === "name_desc" ? "descending" : undefined,
    onSort: () => onSort(sort === "name_asc" ? "name_desc" : "name_asc"),
    title: (agent) => agent.description,
    cell: (agent) => (
      <span className="flex items-baseline gap-3">
        <AgentAvatar name={agentName(agent)} metadata={agent.metadata} className="-my-1 self-center" />
        <span className="truncate">
          <Link to="/agents/$agentId" params={{ agentId: agent.id }} className="font-medium">
            <bdi>{agentName(agent)}</bdi>
          </Link>
          <bdi className="ml-2.5 text-muted text-secondary">{agent.description}</bdi>
        </span>
      </span>
    ),
  },
  model: {
    head: "Model",
    width: 160,
    kind: "support",
    className: "@max-[680px]:hidden",
    title: (agent) => agent.model_name,
    cell: (agent) => <Model agent={agent} isOffered={isOffered} />,
  },
  last: {
    head: "Last conversation",
    width: 156,
    kind: "muted",
    cell: (agent) => <LastConversation agentId={agent.id} />,
  },
  maker: {
    head: "Created by",
    width: 140,
    kind: "support",
    className: "@max-[820px]:hidden",
    cell: (agent) => <Person of={agent.creator} />,
  },
  version: {
    head: "Version",
    width: 72,
    kind: "mutedFigure",
    cell: (agent) => agent.version ?? "–",
  },
});

/** A model by its short name; one that is no longer offered says so. */
function Model({ agent, isOffered }: { agent: AgentIn } & Pick<Shown, "isOffered">) {
  const model = agent.model_name;
  if (!model) return <span className="text-faint">unknown</span>;
  if (isOffered(model)) return modelLabel(model);
  return (
    <span
      className="inline-flex items-center gap-1.5 text-state-stopped-fg"
      title={`${model} is not available here`}
    >
      <TriangleAlert /> unavailable
    </span>
  );
}

/** An agent on phones: name and last conversation, then model and version. */
export function PhoneRow({ agent, isOffered }: { agent: AgentIn } & Pick<Shown, "isOffered">) {
  return (
    <div className="flex items-start gap-3 px-edge-left py-2">
      <AgentAvatar name={agentName(agent)} metadata={agent.metadata} className="mt-1 size-7! text-[11px]!" />
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
    </div>
  );
}

const none = {};

/** The newest conversation with an agent, asked for once its row comes into view. */
function LastConversation({ agentId }: { agentId: string }) {
  const [place, isSeen] = useSeen(100);
  return (
    <span ref={place}>{isSeen ? <Newest agentId={agentId} /> : <span className="text-faint">…</span>}</span>
  );
}

function Newest({ agentId }: { agentId: string }) {
  const { lines, query } = useConversations(agentId, none, 5);
  // One in which the agent works says more than one that was begun later.
  const line = lines.find((one) => one.described.tone === "running") ?? lines[0];
  if (query?.data === undefined && query !== null)
    return <span className="text-faint">{query.isError ? "not loaded" : "…"}</span>;
  if (!line) return <span className="text-faint">none yet</span>;
  const { tone, word } = line.described;
  return (
    <Link
      {...toConversation(agentId, line)}
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
