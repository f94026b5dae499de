import type { Agent } from "../../../contract/agents.ts";
import type { Received } from "../../../contract/define.ts";

/** The name that is asked for before an act that cannot be undone: what of it can be seen and typed, else the id. */
export function nameToType({ name }: Received<Agent>, agentId: string): string {
  return (name ?? "").replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim() || agentId;
}
