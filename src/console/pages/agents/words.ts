import { shownName } from "../../components/conversation/shownName.ts";
import type { AgentIn } from "./useAgentList.ts";

/** What an agent is called: its name, else its id. */
export const agentName = (agent: Pick<AgentIn, "id" | "name">): string =>
  shownName(agent.name?.trim() || agent.id);

/** A model without its provider, as a list shows it: `claude-sonnet-4-5`. */
export const modelWord = (model: string): string => model.slice(model.indexOf("/") + 1) || model;

/** A person as lists tell of one; null where nothing is told. */
export function personWords(
  person:
    | {
        readonly id?: string | null | undefined;
        readonly first_name?: string | null | undefined;
        readonly last_name?: string | null | undefined;
      }
    | null
    | undefined,
): string | null {
  if (!person) return null;
  return [person.first_name, person.last_name].filter(Boolean).join(" ") || person.id || null;
}
