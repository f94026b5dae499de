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
export { Person, type PersonIn, personName, usePerson } from "./Person.tsx";
