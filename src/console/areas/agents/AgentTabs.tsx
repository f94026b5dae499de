import { Link } from "@tanstack/react-router";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { type AgentTab, agentTabs } from "./search.ts";

/** The pages of an agent: the tabs of its first page, and those that are pages of their own. */
export type AgentPlace = AgentTab | "settings" | "evaluations" | "versions";

/** What the tabs of an agent's first page are called. */
export const agentTabTitles: Record<AgentTab, string> = {
  conversations: "Conversations",
  artifacts: "Artifacts",
};

type Props = {
  agentId: string;
  active: AgentPlace;
  /** How many there are, where that is known. */
  conversations?: number | undefined;
  versions?: number | undefined;
};

/** The tabs of an agent. */
export function AgentTabs({ agentId, active, conversations, versions }: Props) {
  return (
    <TabBar label="Parts of the agent" className="shrink-0 pr-edge-right pl-edge-left">
      {agentTabs.map((one) => (
        <Tab
          key={one}
          asChild
          isActive={one === active}
          count={one === "conversations" ? conversations : undefined}
        >
          <Link
            to="/agents/$agentId"
            params={{ agentId }}
            // The router calls a link current also on the pages below it; one tab is.
            activeOptions={{ exact: true }}
            search={one === "conversations" ? {} : { tab: one }}
            replace={agentTabs.some((tab) => tab === active)}
          >
            {agentTabTitles[one]}
          </Link>
        </Tab>
      ))}
      <Tab asChild isActive={active === "settings"}>
        <Link to="/agents/$agentId/settings" params={{ agentId }}>
          Settings
        </Link>
      </Tab>
      <Tab asChild isActive={active === "evaluations"}>
        <Link to="/agents/$agentId/evaluations" params={{ agentId }}>
          Evaluations
        </Link>
      </Tab>
      <Tab asChild isActive={active === "versions"} count={versions}>
        <Link to="/agents/$agentId/versions" params={{ agentId }}>
          Versions
        </Link>
      </Tab>
    </TabBar>
  );
}
