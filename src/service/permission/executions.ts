import { type RawBuilder, sql } from "kysely";
import type { TeamRight } from "../../contract/roles.ts";
import type { Caller } from "../areas/handler.ts";
import { inTeam, teamsOf } from "./actor.ts";

/** Whose a run or an interaction is: `userId` as given at its start; `teamId` only if `project_id` was given. */
export interface ExecutionOwner {
  readonly userId: string | null;
  readonly teamId: string | null;
}

/** What whoever began a run for a team may do with it, whatever they are there: `mayReadExecution`, as rights. */
export const rightsInOwnRun = ["see", "operate"] as const satisfies readonly TeamRight[];
/** In a conversation of a team the next turn acts for the team: `mayContinue`. */
export const rightsInOwnConversation = ["see"] as const satisfies readonly TeamRight[];

/**
 * Whether the caller may read, kill, continue and download this run or interaction (docs/interface.md, "Whose it is"):
 * its own user, and, if `project_id` was given at its start, every member and the key of that team. Who owns the flow
 * or agent does not matter.
 */
export function mayReadExecution(caller: Caller, execution: ExecutionOwner): boolean {
  if (execution.teamId !== null && inTeam(caller, execution.teamId)) return true;
  return caller.kind !== "team" && execution.userId === caller.userId;
}

/**
 * The same as `mayReadExecution`, as a condition of the database.
 * @param table whose columns `user_id` and `team_id` say whose an execution is
 */
export function readableExecutions(caller: Caller, table: string): RawBuilder<boolean> {
  const teams = sql`${sql.ref(`${table}.team_id`)} = any (${[...teamsOf(caller)]}::text[])`;
  if (caller.kind === "team") return sql<boolean>`coalesce(${teams}, false)`;
  return sql<boolean>`coalesce(${teams} or ${sql.ref(`${table}.user_id`)} = ${caller.userId}, false)`;
}

/** The runs that the caller may read, as a condition on `executions`. */
export function readableRuns(caller: Caller): RawBuilder<boolean> {
  return readableExecutions(caller, "executions");
}

/** The conversations that the caller may read: a deleted one is nobody's. */
export function readableInteractions(caller: Caller): RawBuilder<boolean> {
  return sql<boolean>`(interactions.deleted_at is null and ${readableExecutions(caller, "interactions")})`;
}

/** The same people as may read it (§4.5). */
export const mayKill = mayReadExecution;

/**
 * Whether the caller may continue this interaction (§4.1: "the caller must have access to it"). A turn of a team's
 * conversation acts for the team, so whoever began it and has left the team reads it and no more.
 */
export function mayContinue(caller: Caller, execution: ExecutionOwner): boolean {
  if (execution.teamId !== null) return inTeam(caller, execution.teamId);
  return mayReadExecution(caller, execution);
}

/** The same people may stop a turn of it as may begin the next one. */
export const mayStop = mayContinue;

/** One's own; a team's is deleted by its members and its key, as it is continued by them. */
export const mayDelete = mayContinue;

/**
 * Why files of an execution that the caller may not read are refused: a team key hears that a personal credential is
 * needed (§5.8) where the execution is a member's own, everybody else that there is nothing.
 */
export function fileRefusal(
  caller: Caller,
  execution: ExecutionOwner,
): "personal_credential_required" | "not_found" | null {
  if (mayReadExecution(caller, execution)) return null;
  const membersOwn =
    caller.kind === "team" &&
    execution.teamId === null &&
    execution.userId !== null &&
    caller.memberIds.includes(execution.userId);
  return membersOwn ? "personal_credential_required" : "not_found";
}
