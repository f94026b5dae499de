import { shownName } from "../../lib/shownName.ts";
import type { AgentIn } from "./useAgentList.ts";

/** What an agent is called: its name, else its id. */
export const agentName = (agent: Pick<AgentIn, "id" | "name">): string =>
  shownName(agent.name?.trim() || agent.id);

/** A model without its provider, as a list shows it: `claude-sonnet-4-5`. */
export const modelWord = (model: string): string => model.slice(model.indexOf("/") + 1) || model;
