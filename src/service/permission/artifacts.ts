import type { Caller } from "../areas/handler.ts";
import { inTeam } from "./actor.ts";

/** The roles that we know, weakest first (docs/interface.md, "Artifacts and access"). */
const artifactRoles = ["viewer", "editor", "owner"] as const;
export type ArtifactRole = (typeof artifactRoles)[number];

/** Everything that decides who may do what with an artifact. Roles that we do not know grant nothing. */
export interface ArtifactFacts {
  readonly creatorId: string | null;
  /** Of the execution that made it; null without `project_id`. */
  readonly teamId: string | null;
  readonly people: readonly { readonly userId: string; readonly role: string }[];
  readonly teams: readonly { readonly teamId: string; readonly role: string }[];
  /** The role of everybody in the workspace; null without one. */
  readonly organization: string | null;
}

/**
 * The strongest role that the caller holds, or null: then the artifact does not exist for the caller.
 * The creator is `owner`. Members of the artifact's team read it; the team's key, which may act as any member, also
 * manages its access. A team key holds nothing of a person's own artifacts except what is granted to its team.
 */
export function artifactRole(caller: Caller, artifact: ArtifactFacts): ArtifactRole | null {
  const held: string[] = [];
  if (artifact.teamId !== null && inTeam(caller, artifact.teamId)) {
    held.push(caller.kind === "team" ? "editor" : "viewer");
  }
  for (const grant of artifact.teams) if (inTeam(caller, grant.teamId)) held.push(grant.role);
  if (caller.kind !== "team") {
    if (artifact.creatorId === caller.userId) held.push("owner");
    for (const grant of artifact.people) if (grant.userId === caller.userId) held.push(grant.role);
    if (artifact.organization !== null) held.push(artifact.organization);
  }
  return artifactRoles.findLast((role) => held.includes(role)) ?? null;
}

/** §7.2: a caller who may read but not manage gets 403, one who may not even read gets 404. */
export function mayManageAccess(role: ArtifactRole | null): boolean {
  return role === "editor" || role === "owner";
}

/**
 * Whether the caller may delete it and take that back: its creator. What was made for a team may also be deleted by the
 * team's key, as it may act as that creator (§5.4). A start by the key without a user has no creator: what it made is the
 * team's alone, and its members are the only people who could delete it.
 */
export function mayDeleteArtifact(caller: Caller, artifact: ArtifactFacts): boolean {
  const isTeams = artifact.teamId !== null && inTeam(caller, artifact.teamId);
  if (caller.kind === "team") return isTeams;
  return artifact.creatorId === null ? isTeams : artifact.creatorId === caller.userId;
}
