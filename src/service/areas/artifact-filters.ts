import { type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { personOf } from "../permission/actor.ts";
import { unplanned } from "../store/prepared.ts";
import { audiencesOf, readableArtifact } from "./artifact-rows.ts";
import type { Caller, Request } from "./handler.ts";
import { timeOf } from "./times.ts";

export type ArtifactQuery = Omit<Request<typeof endpoints.listArtifacts>["query"], "team_id">;

/** Which artifacts a list is about, beside what the caller may see; null: all. */
export interface ListScope {
  readonly agentId: string | null;
  readonly teamId: string | null;
}

/** Whose rows are merged into the list. */
export function readersOf(
  caller: Caller,
  query: ArtifactQuery,
  { teamId }: ListScope,
): readonly RawBuilder<string>[] {
  if (query.shared_by_me === true) {
    return caller.kind === "team" ? [] : [sql`${`sharer:${caller.userId}`}`];
  }
  if (query.shared_through_team === true) {
    return caller.kind === "team" ? [] : [sql`${`user:${caller.userId}`}`];
  }
  return teamId === null ? audiencesOf(caller) : [sql`${`team:${teamId}`}`];
}

/** What the audience's own indexes are for. */
export function placesOf(query: ArtifactQuery, { agentId }: ListScope): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = [];
  if (agentId !== null) found.push(sql`listed.agent_id = ${agentId}`);
  if (query.session_id !== undefined) found.push(sql`listed.interaction_id = ${query.session_id}`);
  if (query.created_after !== undefined) found.push(sql`listed.created_at >= ${timeOf(query.created_after)}`);
  if (query.created_before !== undefined)
    found.push(sql`listed.created_at < ${timeOf(query.created_before)}`);
  return found;
}

/** What is true of nearly all rows of the merged list. */
export function leftOut(caller: Caller, query: ArtifactQuery, { teamId }: ListScope): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = [];
  // The team's audience also has what was given to it.
  if (teamId !== null) found.push(sql`a.team_id = ${teamId}`);
  if (query.shared_through_team === true) {
    const own = personOf(caller);
    found.push(sql`a.team_id is not null and a.user_id = ${own}`);
  }
  // What one shared may have been taken away since.
  if (query.shared_by_me === true) {
    found.push(readableArtifact(caller, sql`a.id`));
  }
  return found;
}

/** A condition, and the labels without which it cannot hold, by which an index finds rows. */
export interface Filter {
  readonly holds: RawBuilder<unknown>;
  readonly labelled: RawBuilder<unknown>;
}

const labels = sql`artifact_labels(listed.name, listed.media_type, listed.user_id)`;

/** What the query of a list of artifacts asks of each of them. */
export function filters(query: ArtifactQuery): Filter[] {
  const found: Filter[] = [];
  if (query.creator !== undefined) {
    found.push({
      holds: sql`listed.user_id = ${query.creator}`,
      labelled: sql`${labels} @> ${unplanned(sql`${[`by:${query.creator}`]}::text[]`)}`,
    });
  }
  if (query.media_type !== undefined) {
    // `image/*` names all of a kind.
    const types = query.media_type.toLowerCase().split(",");
    const kinds = types.filter((type) => type.endsWith("/*")).map((type) => type.slice(0, -2));
    const either = [...types.map((type) => `type:${type}`), ...kinds.map((kind) => `kind:${kind}`)];
    found.push({
      holds: sql`(listed.media_type = any(${types}) or split_part(listed.media_type, '/', 1) = any(${kinds}))`,
      labelled: sql`${labels} && ${unplanned(sql`${either}::text[]`)}`,
    });
  }
  if (query.search_query !== undefined) {
    const part = sql`lower(${query.search_query}::text)`;
    found.push({
      holds: sql`strpos(listed.name, ${part}) > 0`,
      labelled: sql`${labels} @> ${unplanned(sql`artifact_labels_of_part(${part})`)}`,
    });
  }
  return found;
}
