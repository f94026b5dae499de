import type { TeamRole } from "../contract/roles.ts";
import type { Caller } from "../service/areas/handler.ts";

/** A person of the installation as a caller, with one role in each of these teams. */
export function personCaller(
  userId: string,
  teamIds: readonly string[],
  role: TeamRole = "editor",
): Extract<Caller, { userId: string }> {
  const teamRoles = new Map(teamIds.map((id) => [id, role]));
  return { kind: "personal", credentialId: `key_${userId}`, userId, role: "member", teamIds, teamRoles };
}
