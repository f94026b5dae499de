import { type Kysely, sql } from "kysely";
import { BoundedMap } from "../store/bounded-map.ts";
import type { Database } from "../store/schema.ts";

/** How much a saved rubric judged in the last days; numbers only, which everybody who sees the rubric may know. */
export interface RubricUsage {
  readonly days: number;
  readonly sessions: number;
  readonly agents: number;
  /** Of its newest result, however old. */
  readonly lastAt: Date | null;
}

/** The use of each of these rubrics, by id. */
export type RubricUsages = (
  db: Kysely<Database>,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, RubricUsage>>;

const days = 30;
const maxRubrics = 5_000;
/** How old a count may be of which only little can be wrong, in milliseconds. */
const maxAgeMs = 60_000;

/** What counts: finished results of conversations that are there. Those of a deleted one go when it is erased, a day later. */
const counts = sql`evaluation_id = rubric.id and status = 'completed'
  and interaction_id not in (select id from interactions where deleted_at is not null and erased_at is null)`;

interface Newest {
  readonly id: string;
  readonly lastAt: Date | null;
  /** Another one where there is a newer result, or a conversation was deleted or restored. */
  readonly mark: string;
}

type Counted = Pick<RubricUsage, "sessions" | "agents">;

/**
 * Counting reads all results of thirty days. So a count is remembered until there is a newer result or a conversation is
 * deleted, for a minute at most: that a day leaves the thirty, or that of two evaluations the earlier ends later, is seen then.
 * @param now monotonic, in milliseconds
 */
export function createRubricUsages(now = () => performance.now()): RubricUsages {
  const known = new BoundedMap<Counted & { readonly mark: string; readonly until: number }>(maxRubrics);
  return async (db, ids) => {
    if (ids.length === 0) return new Map();
    const newest = await readNewest(db, ids);
    const at = now();
    const isKnown = ({ id, mark }: Newest) => {
      const counted = known.get(id);
      return counted?.mark === mark && counted.until > at;
    };
    const others = newest.filter((rubric) => !isKnown(rubric));
    const counted = await count(
      db,
      others.map(({ id }) => id),
    );
    for (const { id, mark } of others) {
      known.set(id, { ...(counted.get(id) ?? none), mark, until: at + maxAgeMs });
    }
    return new Map(
      newest.map(({ id, lastAt }) => {
        const { sessions, agents } = counted.get(id) ?? known.get(id) ?? none;
        return [id, { days, sessions, agents, lastAt }];
      }),
    );
  };
}

const none: Counted = { sessions: 0, agents: 0 };

async function readNewest(db: Kysely<Database>, ids: readonly string[]): Promise<readonly Newest[]> {
  const { rows } = await sql<Newest>`
    with deleted as materialized (
      select count(*) as count, max(deleted_at) as last from interactions where deleted_at is not null and erased_at is null)
    select rubric.id, newest.created_at as "lastAt",
           concat_ws(' ', newest.id, deleted.count, extract(epoch from deleted.last)) as mark
      from unnest(${[...ids]}::text[]) rubric (id) cross join deleted left join lateral (
        select id, created_at from evaluation_results where ${counts} order by created_at desc limit 1) newest on true`.execute(
    db,
  );
  return rows;
}

async function count(db: Kysely<Database>, ids: readonly string[]): Promise<ReadonlyMap<string, Counted>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Counted & { id: string }>`
    select rubric.id, counted.sessions, counted.agents
      from unnest(${[...ids]}::text[]) rubric (id) cross join lateral (
        select count(distinct interaction_id)::int as sessions, count(distinct agent_id)::int as agents
          from evaluation_results
         where ${counts} and created_at > now() - make_interval(days => ${sql.lit(days)})) counted`.execute(
    db,
  );
  return new Map(rows.map(({ id, sessions, agents }) => [id, { sessions, agents }]));
}
