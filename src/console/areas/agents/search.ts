import { countParam, textParam, wordParam } from "../../lib/search-params.ts";
import { type ArtifactsSearch, readArtifactsSearch } from "../artifacts/index.ts";
import type { AgentFilters } from "../directory/index.ts";

export type AgentOrder = NonNullable<AgentFilters["sort_order"]>;

const orders = ["name_asc", "name_desc", "newest", "oldest"] as const satisfies readonly AgentOrder[];

/** Everything that the list of agents shows stands in its address. */
export interface AgentsSearch {
  /** `mine`, or the id of a team; all of them without it. */
  of?: string | undefined;
  q?: string | undefined;
  sort?: AgentOrder | undefined;
  /** The selected agent. */
  agent?: string | undefined;
  /** A conversation is about to begin: it is asked with which agent. */
  conversation?: true | undefined;
}

/** Reads the address; what is not understood is undefined. */
export function readAgentsSearch(raw: Record<string, unknown>): AgentsSearch {
  return {
    of: textParam(raw.of),
    q: textParam(raw.q),
    sort: orders.find((one) => one === raw.sort && one !== "name_asc"),
    agent: textParam(raw.agent),
    conversation: raw.conversation === true || undefined,
  };
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

/** Reads the address of an agent's page; what is not understood is undefined. */
export function readAgentSearch(raw: Record<string, unknown>): AgentSearch {
  const tab = agentTabs.find((one) => one === raw.tab && one !== "conversations");
  return {
    ...(tab === "artifacts" && readArtifactsSearch(raw)),
    tab,
    q: textParam(raw.q),
    state: textParam(raw.state),
  };
}

/** What of an agent's versions stands in the address. */
export interface VersionsSearch {
  /** The two versions that are compared; without them the newest with the one before it. */
  from?: number | undefined;
  to?: number | undefined;
  /** The whole configuration as text, line by line, instead of field by field. */
  lines?: true | undefined;
}

/** Reads the address of an agent's versions; what is not understood is undefined. */
export function readVersionsSearch(raw: Record<string, unknown>): VersionsSearch {
  return {
    from: countParam(raw.from),
    to: countParam(raw.to),
    lines: raw.lines === true || raw.lines === "true" || undefined,
  };
}

/** What of an agent's settings stands in the address. */
export interface SettingsSearch {
  /** The section that is looked at: `prompt`, `tools`, `metadata.chat`. */
  section?: string | undefined;
  /** The prompt's changes instead of its text. */
  prompt?: "changes" | undefined;
  /** What another person saved meanwhile and the draft, in one. */
  view?: "merge" | undefined;
  /** Only what the other person changed, over the page. */
  see?: "theirs" | undefined;
  /** The field that is looked at in the merge. */
  field?: string | undefined;
  /** How a merged text is shown. */
  show?: "sides" | "result" | undefined;
}

/** Reads the address of an agent's settings; what is not understood is undefined. */
export function readSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  return {
    section: textParam(raw.section),
    prompt: wordParam(raw.prompt, "changes"),
    view: wordParam(raw.view, "merge"),
    see: wordParam(raw.see, "theirs"),
    field: textParam(raw.field),
    show: wordParam(raw.show, "sides", "result"),
  };
}

/** What of the page for a new agent stands in its address. */
export interface NewAgentSearch {
  /** The agent that it begins as a copy of. */
  from?: string | undefined;
}

/** Reads the address; what is not understood is undefined. */
export function readNewAgentSearch(raw: Record<string, unknown>): NewAgentSearch {
  return { from: textParam(raw.from) };
}
