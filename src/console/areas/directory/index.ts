/** What other areas may use of this one. */
export { AgentAvatar, agentIcons, isAgentIcon } from "./AgentAvatar.tsx";
export { AgentGone, AgentMissing, type AgentNews, tellAgentNews, useAgentNews } from "./AgentGone.tsx";
export {
  type AgentFilters,
  type AgentIn,
  agentMutations,
  agentPages,
  agentQueries,
  modelQueries,
  versionPages,
} from "./agent-queries.ts";
export { Person } from "./Person.tsx";
export { useAgentNames } from "./useAgentNames.ts";
export { useHasNoAgent } from "./useHasNoAgent.ts";
export { type PersonIn, personName, usePerson } from "./usePerson.ts";
