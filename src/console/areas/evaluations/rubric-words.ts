import { counted } from "../../lib/words.ts";
import type { RubricIn } from "./queries.ts";

export const rubricName = (rubric: Pick<RubricIn, "id" | "name">): string => rubric.name || rubric.id;

/** Which conversations it judges: "all agents of team Harbor". */
export function reachWords(teamId: string | null | undefined, teamName: (id: string) => string): string {
  if (teamId === undefined) return "the agents of its team, or its owner's own";
  return teamId === null ? "your own agents" : `all agents of team ${teamName(teamId)}`;
}

/** How much it judged lately: "12 conversations of 3 agents in 30 days"; null where the service does not say. */
export function amountWords({ use }: RubricIn): string | null {
  if (typeof use?.sessions !== "number") return null;
  const days = typeof use.days === "number" ? ` in ${use.days} days` : "";
  if (use.sessions === 0) return `nothing${days}`;
  const agents = typeof use.agents === "number" ? ` of ${counted(use.agents, "agent")}` : "";
  return `${counted(use.sessions, "conversation")}${agents}${days}`;
}

/** Who judges by it. */
export const judgeWords = ({ config }: RubricIn): string => config?.model_name || "each agent’s own model";
