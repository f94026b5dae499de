import type { Agent } from "../../../contract/agents.ts";
import type { Received } from "../../../contract/define.ts";
import { shownName } from "../../lib/shownName.ts";
import type { AgentIn } from "../directory/index.ts";
import { useSignedIn } from "../session/index.ts";
import { agentFields } from "./agent/agent-draft.ts";

/** What an agent is called: its name, else its id. */
export const agentName = (agent: Pick<AgentIn, "id" | "name">): string =>
  shownName(agent.name?.trim() || agent.id);

/** A model without its provider, as a list shows it: `claude-sonnet-4-5`. */
export const modelLabel = (model: string): string => model.slice(model.indexOf("/") + 1) || model;

/** The name that is asked for before an act that cannot be undone: what of it can be seen and typed, else the id. */
export function nameToType({ name }: Received<Agent>, agentId: string): string {
  return (name ?? "").replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim() || agentId;
}

const fieldTitles: Readonly<Record<string, { readonly title: string }>> = {
  ...agentFields,
  is_active: { title: "Retired" },
  team_id: { title: "Team" },
};

/** A field as a title; a section of metadata by its own name. */
export const fieldTitle = (field: string): string =>
  field.startsWith("metadata.")
    ? `Metadata: ${field.slice("metadata.".length)}`
    : (fieldTitles[field]?.title ?? field);

/** A field in a sentence: "the system prompt", "the preferences". */
export const fieldPhrase = (field: string): string =>
  field.startsWith("metadata.")
    ? `the ${field.slice("metadata.".length).replaceAll("_", " ")}`
    : `the ${fieldTitle(field).toLowerCase()}`;

/** The beginning of a sentence: "the model" is "The model". */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A version in a sentence; null: the service tells no numbers. */
export const versionLabel = (version: number | null): string =>
  version === null ? "the newer version" : `version ${version}`;

/** What a team is called where the sign-in told it, else its id; null for no team: the agent is a person's own. */
export function useTeamName(teamId: string | null | undefined): string | null {
  const { teams } = useSignedIn();
  if (!teamId) return null;
  return teams?.find((team) => team.id === teamId)?.name ?? teamId;
}
