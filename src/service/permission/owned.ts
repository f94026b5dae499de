import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../areas/handler.ts";
import { type Actor, inTeam, teamsOf } from "./actor.ts";

/** An agent, a flow, a saved rubric: a person's own while `teamId` is null, else the team's, whoever made it. */
export interface Owned {
  readonly ownerId: string;
  readonly teamId: string | null;
}

/**
 * Whether the caller may see this object and use it as itself: one's own, or one's team's. A team key sees its team's
 * alone.
 */
export function maySee(caller: Caller, object: Owned): boolean {
  if (object.teamId !== null) return inTeam(caller, object.teamId);
  return caller.kind !== "team" && object.ownerId === caller.userId;
}

/** The same as `maySee`, as a `where` on the columns `owner_id` and `team_id` of the one table that is asked. */
export function ownedBy(caller: Caller): RawBuilder<boolean> {
  const teams = sql<boolean>`team_id = any (${[...teamsOf(caller)]}::text[])`;
  if (caller.kind === "team") return teams;
  return sql<boolean>`(${teams} or (team_id is null and owner_id = ${caller.userId}))`;
}

/**
 * Whether the caller may start this agent or flow for this actor. Beyond what the caller sees, a team key that acts as
 * a member ("acts as any team member", §5.4) may start what is that member's own; another team's never.
 */
export function mayUse(caller: Caller, actor: Actor, object: Owned): boolean {
  if (maySee(caller, object)) return true;
  return caller.kind === "team" && object.teamId === null && actor.userId === object.ownerId;
}

/** §4.1, `unauthorized_gummie_access`. */
export const mayUseAgent = mayUse;

/** §4.3. */
export const mayUseSavedItem = mayUse;

/** Whether the caller may change or retire it (§4.14): its owner, or the members and the key of its team. */
export const mayManage = maySee;

/** Whether the caller may give it to this team (§4.14 `team_id`): it takes rights on the object and on the new team. */
export function mayTransfer(caller: Caller, object: Owned, teamId: string): boolean {
  return mayManage(caller, object) && inTeam(caller, teamId);
}
