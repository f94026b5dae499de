import { Link } from "@tanstack/react-router";
import { PageSearch } from "../../../lib/paging/PageSearch.tsx";
import { NativeSelect } from "../../../ui/NativeSelect.tsx";
import { Tab, TabBar } from "../../../ui/Tabs.tsx";
import { useSignedIn } from "../../session/index.ts";

import type { AgentsSearch } from "../search.ts";
import { type AgentIn, type AgentOrder, isOf } from "../useAgentList.ts";

type Props = {
  search: AgentsSearch;
  /** Every agent, to count; null where not all are read. */
  all: readonly AgentIn[] | null;
  onChange: (part: Partial<Record<keyof AgentsSearch, string | undefined>>) => void;
};

const orderWords: Record<AgentOrder, string> = {
  name_asc: "Name, A–Z",
  name_desc: "Name, Z–A",
  newest: "Newest first",
  oldest: "Oldest first",
};

/** Tabs (mine, each team), search and order of the agents list; all of them stand in the address. */
export function AgentsTools({ search, all, onChange }: Props) {
  const { teams, credential } = useSignedIn();
  const tabs = [
    { of: undefined, name: "All" },
    ...(credential.kind === "team" ? [] : [{ of: "mine", name: "Mine" }]),
    ...(teams ?? []).map((team) => ({ of: team.id, name: team.name })),
  ];
  return (
    <>
      {tabs.length > 1 && (
        <TabBar label="Whose agents" className="shrink-0 pr-edge-right pl-edge-left">
          {tabs.map(({ of, name }) => (
            <Tab
              key={of ?? "all"}
              asChild
              isActive={search.of === of}
              count={all?.filter((agent) => isOf(agent, of)).length}
            >
              <Link to="/agents" search={{ ...search, agent: undefined, of }}>
                {name}
              </Link>
            </Tab>
          ))}
        </TabBar>
      )}
      <div className="flex min-h-filters shrink-0 flex-wrap items-center gap-1.5 py-2 pr-edge-right pl-edge-left">
        <PageSearch
          label="Search agents"
          placeholder="Names and descriptions"
          className="w-60 max-sm:flex-1"
          q={search.q}
          onSearch={(q) => onChange({ q })}
        />
        <NativeSelect
          look="small"
          aria-label="Order"
          className="max-sm:w-[118px]"
          value={search.sort ?? "name_asc"}
          onChange={(event) => onChange({ sort: event.target.value })}
        >
          {Object.entries(orderWords).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </NativeSelect>
      </div>
    </>
  );
}
