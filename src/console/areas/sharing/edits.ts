import type { Access } from "./access.ts";
import type { Edits, LinkEdit } from "./plan.ts";

/** The edits with another wish for one person, by folded e-mail: a role, or null for no access. */
export function withPerson(edits: Edits, email: string, role: string | null): Edits {
  return { ...edits, people: new Map(edits.people).set(email, role) };
}

/** The same for a team. */
export function withTeam(edits: Edits, teamId: string, role: string | null): Edits {
  return { ...edits, teams: new Map(edits.teams).set(teamId, role) };
}

/** The same for everybody in the organisation. */
export function withOrganization(edits: Edits, role: string | null): Edits {
  return { ...edits, organization: role };
}

/** The edits with a part of the link changed; what was not edited yet is as it was read. */
export function withLink(access: Access, edits: Edits, part: Partial<LinkEdit>): Edits {
  const now = edits.link ?? access.link;
  const next = { ...now, ...part };
  const { password, ...setting } = next;
  const role = next.mode === "none" ? null : (next.role ?? "viewer");
  const keeps = next.mode === "password" && password !== undefined && password !== "";
  return { ...edits, link: { ...setting, role, ...(keeps && { password }) } };
}
