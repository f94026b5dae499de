import type { Caller } from "../areas/handler.ts";
import { inTeam } from "./actor.ts";

/**
 * Whether an MCP server of the workspace exists for the caller: for everybody, or for members of the teams that its entry names.
 * @param teams those that it names; null: it is everybody's
 * @param teamId whose connection is meant; null: the caller's own, for which any of their teams will do
 */
export function mayUseServer(
  caller: Caller,
  teams: readonly string[] | null,
  teamId: string | null,
): boolean {
  if (teams === null) return true;
  return teamId === null ? teams.some((team) => inTeam(caller, team)) : teams.includes(teamId);
}
