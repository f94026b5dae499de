import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../areas/handler.ts";
import { type Actor, inTeam, teamsOf } from "./actor.ts";
import { hasRight } from "./roles.ts";

/** Whose a knowledge source is (§2.9). A scope that we do not know is treated as `personal`. */
export interface SourceOwner {
  readonly scope: string;
  readonly teamId: string | null;
  readonly createdByUserId: string;
}

/** Whose members' a source is; null: its maker's. */
export function teamOfSource({ scope, teamId }: SourceOwner): string | null {
  return scope === "team" ? teamId : null;
}

/** Whether the source exists for the caller: its maker, its team by scope `team`, every person by scope `organization`. */
export function mayReadSource(caller: Caller, source: SourceOwner): boolean {
  return mayManageSource(caller, source) || (source.scope === "organization" && caller.kind !== "team");
}

/**
 * Whether the caller may approve it, add files (§4.12) or delete it: approving spends credits of its owner or team. What
 * is a team's is its members', so its maker who left the team has no hand in it any more.
 */
export function mayManageSource(caller: Caller, source: SourceOwner): boolean {
  if (source.scope === "team" && source.teamId !== null) return inTeam(caller, source.teamId);
  return caller.kind !== "team" && source.createdByUserId === caller.userId;
}

/** Whose sources are read. */
export interface SourceReader {
  /** The person whose own sources they may be; null: nobody's. */
  readonly userId: string | null;
  /** `of user`: those that the person is a member of at the time. */
  readonly teams: readonly string[] | "of user";
  readonly organization: boolean;
}

/** What a caller may read, as `mayReadSource` says it. */
export function readerOf(caller: Caller): SourceReader {
  const person = caller.kind !== "team";
  return { userId: person ? caller.userId : null, teams: teamsOf(caller), organization: person };
}

/**
 * What a turn or run may read. One that acts for a team is read by all of its members: nobody's own sources get into it,
 * nor those of another team.
 */
export function readerFor({ userId, teamId }: Actor): SourceReader {
  if (teamId !== null) return { userId: null, teams: [teamId], organization: userId !== null };
  return { userId, teams: "of user", organization: userId !== null };
}

/**
 * The condition of the database on the rows of `knowledge_sources`, under this name, that the reader may read. What was
 * deleted nobody reads.
 */
export function readableSources(
  { userId, teams, organization }: SourceReader,
  table: string,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const ofTeam = sql`(${column("scope")} = 'team' and ${column("team_id")} is not null)`;
  const members =
    teams === "of user"
      ? sql`(select team_id from active_members where user_id = ${userId})`
      : sql`(select unnest(${[...teams]}::text[]))`;
  return sql<boolean>`(${column("deleted_at")} is null and (
    case when ${ofTeam} then ${column("team_id")} in ${members}
    else coalesce(${column("created_by_user_id")} = ${userId}::text, false) end
    or (${column("scope")} = 'organization' and ${sql.lit(organization)})))`;
}

/**
 * The same as conditions on `knowledge_sources`, under the name `source`, each of which an index has in the order of a list; what
 * was deleted is left out by whoever asks.
 * @param right `see`: what the caller may read; `edit`: what they may approve
 */
export function sourceBranches(caller: Caller, right: "see" | "edit"): readonly RawBuilder<boolean>[] {
  const teams = [...new Set(teamsOf(caller))].filter((team) => hasRight(caller, team, right));
  const ofTeams = teams.map((team) => sql<boolean>`(source.scope = 'team' and source.team_id = ${team})`);
  if (caller.kind === "team") return ofTeams;
  const own = sql<boolean>`((source.scope <> 'team' or source.team_id is null)
      and source.created_by_user_id = ${caller.userId})`;
  const ofAll = right === "see" ? [sql<boolean>`(source.scope = 'organization')`] : [];
  return [own, ...ofTeams, ...ofAll];
}
