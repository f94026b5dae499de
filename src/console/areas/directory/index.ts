/** What other areas may use of this one. */
export { AgentAvatar } from "./AgentAvatar.tsx";
export { AgentGone } from "./AgentGone.tsx";
export { AgentMissing } from "./AgentMissing.tsx";
export { agentIcons, isAgentIcon } from "./agent-icons.tsx";
export { type AgentNews, tellAgentNews, useAgentNews } from "./agent-news.ts";
export {
  type AgentFilters,
  type AgentIn,
  agentMutations,
  agentPages,
  agentQueries,
  versionPages,
} from "./agent-queries.ts";
export { modelQueries } from "./model-queries.ts";
export { Person } from "./Person.tsx";
export { type PersonIn, personName, usePerson } from "./usePerson.ts";
