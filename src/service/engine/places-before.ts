import { type Kysely, sql } from "kysely";
import type { Database } from "../store/schema.ts";

/** What waits shorter than this is about to be taken, in milliseconds. */
const momentMs = sql.lit(1_000);

/** What one person of one team, or outside of teams, has ready and not told to wait for its team's limit. */
interface Line {
  readonly limit_key: string;
  readonly is_team: boolean;
  readonly is_own: boolean;
  readonly ready: number;
  /** Of those, how many were ready before the one that is asked about. */
  readonly earlier: number;
}

/**
 * How many executions probably get a worker's place before this one: those that were ready before it of the same person,
 * and as many of each other person and team, as they take turns.
 * @returns null where it is not ready, is held by its team's limit, or has waited no longer than a moment
 */
export async function placesBefore(db: Kysely<Database>, id: string): Promise<number | null> {
  const { rows } = await sql<Line>`
    with mine as (
      select id, limit_key, coalesce(user_id, '') as person, queued_at from executions
       where id = ${id} and state = 'queued' and held_at is null
         and queued_at < now() - make_interval(secs => ${momentMs} / 1000.0)
    )
    select ready.limit_key, ready.limit_key = mine.limit_key as is_team,
           ready.limit_key = mine.limit_key and coalesce(ready.user_id, '') = mine.person as is_own,
           count(*)::integer as ready,
           (count(*) filter (where (ready.queued_at, ready.id) < (mine.queued_at, mine.id)))::integer as earlier
      from mine, executions ready
     where ready.state = 'queued' and ready.held_at is null and ready.queued_at <= now()
     group by ready.limit_key, coalesce(ready.user_id, ''), mine.limit_key, mine.person
  `.execute(db);
  const own = rows.find(({ is_own }) => is_own)?.earlier;
  if (own === undefined) return null;
  const turns = (counts: Iterable<number>, most: number) =>
    [...counts].reduce((sum, count) => sum + Math.min(count, most), 0);
  const ofTeam =
    own +
    turns(
      rows.filter(({ is_team, is_own }) => is_team && !is_own).map(({ ready }) => ready),
      own,
    );
  const others = new Map<string, number>();
  for (const { limit_key, is_team, ready } of rows)
    if (!is_team) others.set(limit_key, (others.get(limit_key) ?? 0) + ready);
  return ofTeam + turns(others.values(), ofTeam);
}
