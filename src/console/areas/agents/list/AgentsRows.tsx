import { Link } from "@tanstack/react-router";
import { GroupHead } from "../../../ui/Table.tsx";
import { AgentAvatar } from "../../directory/index.ts";

import { useIsOffered } from "../useModels.ts";
import { agentName } from "../words.ts";
import { Model } from "./AgentsTable.tsx";
import type { AgentGroup } from "./groups.ts";
import { LastConversation } from "./LastConversation.tsx";

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
