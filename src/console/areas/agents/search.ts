import { givenParams, textParam } from "../../lib/search-params.ts";
import { type ArtifactsSearch, readArtifactsSearch } from "../artifacts/index.ts";

import type { AgentOrder } from "./useAgentList.ts";

export const orders = ["name_asc", "name_desc", "newest", "oldest"] as const satisfies readonly AgentOrder[];

/** Everything that the list of agents shows stands in its address. */
export interface AgentsSearch {
  /** `mine`, or the id of a team; all of them without it. */
  of?: string | undefined;
  q?: string | undefined;
  sort?: AgentOrder | undefined;
  /** The selected agent. */
  agent?: string | undefined;
  /** A conversation is about to begin: it is asked with which agent. */
  talk?: true | undefined;
}

/** Reads the address; what is not understood is left out. */
export function readAgentsSearch(raw: Record<string, unknown>): AgentsSearch {
  return givenParams<AgentsSearch>({
    of: textParam(raw.of),
    q: textParam(raw.q),
    sort: orders.find((one) => one === raw.sort && one !== "name_asc"),
    agent: textParam(raw.agent),
    talk: raw.talk === true ? true : undefined,
  });
}

export const agentTabs = ["conversations", "artifacts"] as const;
export type AgentTab = (typeof agentTabs)[number];

/** What of an agent's page stands in its address. */
export interface AgentSearch extends ArtifactsSearch {
  tab?: AgentTab | undefined;
  /** Part of a conversation's name or message, or of a file's name. */
  q?: string | undefined;
  /** One state of a session, as on the wire. */
  state?: string | undefined;
}

/** Reads the address of an agent's page; what is not understood is left out. */
export function readAgentSearch(raw: Record<string, unknown>): AgentSearch {
  const tab = agentTabs.find((one) => one === raw.tab && one !== "conversations");
  return givenParams<AgentSearch>({
    ...(tab === "artifacts" && readArtifactsSearch(raw)),
    tab,
    q: textParam(raw.q),
    state: textParam(raw.state),
  });
}
