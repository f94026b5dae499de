import type { Caller } from "../areas/handler.ts";
import { ServiceError } from "../service-error.ts";

/** For whom something is started or read: a person, a team, or a person for a team. Never neither. */
export type Actor =
  | { readonly userId: string; readonly teamId: string | null }
  | { readonly userId: null; readonly teamId: string };

/** What a request says of itself. It narrows what the credential allows and never widens it. */
export interface ClaimedOwner {
  readonly user_id?: string | null | undefined;
  readonly project_id?: string | null | undefined;
}

/**
 * Whether naming neither `user_id` nor `project_id` is an error.
 * `always`: with every credential (§4.1, §4.6: "required when the other is absent").
 * `personal`: only with a person's credential; a team key's team is the project.
 * `never`: a person's credential acts for that person, a team key for its team.
 */
export type UserRequirement = "always" | "personal" | "never";

/**
 * Who acts (§5; docs/interface.md, "Whose it is" and "Credentials"). A personal key or an access token acts as its
 * own user only, for a team only as its member. A team key acts for its own team, and as a member of it per request.
 * @param required whether naming neither is refused
 * @throws ServiceError `owner_required` (400), or `forbidden` (403) for a foreign user or team
 */
export function resolveActor(caller: Caller, claim: ClaimedOwner, required: UserRequirement): Actor {
  const userId = claim.user_id ?? null;
  const teamId = claim.project_id ?? null;
  const neither = userId === null && teamId === null;
  if (neither && (required === "always" || (required === "personal" && caller.kind !== "team"))) {
    throw new ServiceError("owner_required", { param: "user_id" });
  }
  return caller.kind === "team" ? forTeam(caller, userId, teamId) : forPerson(caller, userId, teamId);
}

function forPerson(
  caller: Extract<Caller, { userId: string }>,
  userId: string | null,
  teamId: string | null,
): Actor {
  if (userId !== null && userId !== caller.userId) {
    throw new ServiceError("forbidden", {
      message: "A personal credential acts as its own user only: user_id is another person.",
      param: "user_id",
    });
  }
  if (teamId !== null && !caller.teamIds.includes(teamId)) {
    throw new ServiceError("forbidden", {
      message: "You are not in this team, or your role in it does not allow this.",
      param: "project_id",
    });
  }
  return { userId: caller.userId, teamId };
}

function forTeam(
  caller: Extract<Caller, { kind: "team" }>,
  userId: string | null,
  teamId: string | null,
): Actor {
  if (teamId !== null && teamId !== caller.teamId) {
    throw new ServiceError("forbidden", {
      message: "A team key acts for its own team only: project_id is another team.",
      param: "project_id",
    });
  }
  if (userId !== null && !caller.memberIds.includes(userId)) {
    throw new ServiceError("forbidden", {
      message: "A team key acts for members of its team only: user_id is not a member.",
      param: "user_id",
    });
  }
  return { userId, teamId: caller.teamId };
}

/**
 * Who acts where something is done again, or goes on as a copy: the caller, for the team that it was of. A team's key acts for
 * whose it was, as long as they are a member.
 * @throws ServiceError `forbidden` (403) for a team that the caller does not belong to
 */
export function actorAgain(
  caller: Caller,
  { userId, teamId }: { readonly userId: string | null; readonly teamId: string | null },
): Actor {
  if (caller.kind !== "team")
    return resolveActor(caller, { user_id: caller.userId, project_id: teamId }, "personal");
  const user_id = userId !== null && caller.memberIds.includes(userId) ? userId : null;
  return resolveActor(caller, { user_id, project_id: teamId }, "personal");
}

/** The person whose credential it is; null: a team key, which is no person. */
export function personOf(caller: Caller): string | null {
  return caller.kind === "team" ? null : caller.userId;
}

/** Whether the caller belongs to this team: a member's own credential, or the team's key. */
export function inTeam(caller: Caller, teamId: string): boolean {
  return caller.kind === "team" ? caller.teamId === teamId : caller.teamIds.includes(teamId);
}

/** The teams that the caller may see and act for, without order. */
export function teamsOf(caller: Caller): readonly string[] {
  return caller.kind === "team" ? [caller.teamId] : caller.teamIds;
}

/**
 * The team of an optional `team_id` that only narrows a list.
 * @returns null when it was not given
 * @throws ServiceError `forbidden` (403) for a team that the caller does not belong to
 */
export function teamScope(caller: Caller, teamId: string | null | undefined): string | null {
  if (teamId === null || teamId === undefined) return null;
  if (!inTeam(caller, teamId)) {
    throw new ServiceError("forbidden", {
      message: "You are not in this team, or your role in it does not allow this.",
      param: "team_id",
    });
  }
  return teamId;
}
