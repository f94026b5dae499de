import type { KnownTeam } from "../../session/index.ts";

import type { AgentIn } from "../useAgentList.ts";

export interface AgentGroup {
  /** `mine`, or the team's id. */
  readonly of: string;
  readonly name: string;
  readonly agents: readonly AgentIn[];
}

/** Agents by whose they are: the person's own first, then each team in the order of the sign-in, then teams unheard of. */
export function groupAgents(agents: readonly AgentIn[], teams: readonly KnownTeam[]): readonly AgentGroup[] {
  const groups = new Map<string, AgentIn[]>();
  for (const of of ["mine", ...teams.map((team) => team.id)]) groups.set(of, []);
  for (const agent of agents) {
    const of = agent.team_id ?? "mine";
    const group = groups.get(of) ?? [];
    group.push(agent);
    groups.set(of, group);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([of, members]) => ({
      of,
      name: of === "mine" ? "Mine" : (teams.find((team) => team.id === of)?.name ?? of),
      agents: members,
    }));
}
