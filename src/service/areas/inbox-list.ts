import { type Kysely, type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { answerableBy, type Operators, type QuestionBranch, seenBy } from "../permission/approvals.ts";
import { onePlan } from "../store/prepared.ts";
import type { Database } from "../store/schema.ts";
import type { Caller, Request } from "./handler.ts";
import { cutPage, keyTime, type PageCursor, readCursor, timeKey, timeKeyForm } from "./page.ts";

type Query = Request<typeof endpoints.listInbox>["query"];

/** A question that is `waiting` in the table may have lapsed, and its turn not have heard of it yet. */
export const isWaiting = sql<boolean>`(approvals.state = 'waiting' and approvals.lapses_at > clock_timestamp())`;

/**
 * Of a conversation that nobody has deleted, or of a run. A value and no `exists`: that becomes a join, which reads all
 * conversations.
 */
export const isThere = sql<boolean>`(approvals.kind = 'flow' or coalesce((
  select interactions.deleted_at is null from interactions where interactions.id = approvals.interaction_id), false))`;

/** Both lists: which rows, by which time, and in which order. */
const lists = {
  waiting: {
    holds: isWaiting,
    partOf: sql`approvals.state = 'waiting'`,
    ofNamed: sql`named.ended_at is null`,
    at: "asked_at",
    order: sql.raw("asc"),
    after: sql.raw(">"),
  },
  answered: {
    holds: sql<boolean>`true`,
    partOf: sql`approvals.state <> 'waiting'`,
    ofNamed: sql`named.ended_at is not null`,
    at: "ended_at",
    order: sql.raw("desc"),
    after: sql.raw("<"),
  },
} as const;

/**
 * The ids of a page. Each branch is read in the order of its index and merged as far as the page goes.
 * @throws ServiceError `invalid_cursor`
 */
export async function inboxPage(
  db: Kysely<Database>,
  caller: Caller,
  operators: Operators,
  { state = "waiting", mine, session_id, run_id, page_size: size = 20, cursor }: Query,
): Promise<{ readonly ids: readonly string[]; readonly next_cursor: string | null }> {
  const name = `inbox:${state}`;
  const end = cursor === undefined ? null : readCursor(name, cursor, timeKeyForm);
  const branches = mine ? answerableBy(caller, operators) : seenBy(caller, operators);
  if (branches.length === 0) return { ids: [], next_cursor: null };
  const list = lists[state];
  const { order, holds } = list;
  const about = [
    ...(session_id === undefined ? [] : [sql`approvals.interaction_id = ${session_id}`]),
    ...(run_id === undefined ? [] : [sql`approvals.run_id = ${run_id}`]),
  ];
  const filters = [holds, isThere, ...about];
  const limit = sql.lit(size + 1);
  // Of one conversation or run they are few, and found by that.
  const scans = branches.map(({ condition, named }) =>
    scanOf({ condition, named: about.length > 0 ? null : named }, list, { filters, limit, end }),
  );
  const { rows } = await sql<PageCursor>`
    select id, ${timeKey("at")} as key from (${union(scans)}) found
     group by id, at order by at ${order}, id ${order} limit ${limit} ${onePlan}`.execute(db);
  const page = cutPage(rows, size, name, ({ key, id }) => ({ key, id }));
  return { ids: page.rows.map(({ id }) => id), next_cursor: page.next_cursor };
}

interface Wanted {
  readonly filters: readonly RawBuilder<unknown>[];
  readonly limit: RawBuilder<unknown>;
  /** Where the page before ended. */
  readonly end: PageCursor | null;
}

/** The first of a branch, in the order of its list. */
function scanOf(
  { condition, named }: QuestionBranch,
  { partOf, ofNamed, at, order, after }: (typeof lists)[keyof typeof lists],
  { filters, limit, end }: Wanted,
): RawBuilder<unknown> {
  const all = sql.join([condition, partOf, ...filters], sql` and `);
  const [time, id] =
    named === null
      ? [sql.ref(`approvals.${at}`), sql.ref("approvals.id")]
      : [sql.ref(`named.${at}`), sql.ref("named.approval_id")];
  const behind = end === null ? sql`true` : sql`(${time}, ${id}) ${after} (${keyTime(end.key)}, ${end.id})`;
  const inOrder = sql`order by ${time} ${order}, ${id} ${order} limit ${limit}`;
  if (named === null)
    return sql`(select ${id}, ${time} as at from approvals where ${all} and ${behind} ${inOrder})`;
  // Each question by its key, so that they stay in the order in which they name this person.
  return sql`(select approvals.id, ${time} as at from approval_people named
      cross join lateral (select * from approvals where approvals.id = named.approval_id offset 0) approvals
      where named.user_id = ${named} and ${ofNamed} and ${behind} and ${all} ${inOrder})`;
}

/** It says no more than that there are many. */
const countedAtMost = sql.lit(1_000);

/** What waits for the caller's own answer, and since when. */
export async function countWaiting(
  db: Kysely<Database>,
  caller: Caller,
  operators: Operators,
): Promise<{ readonly waiting: number; readonly oldest: Date | null }> {
  const branches = answerableBy(caller, operators);
  if (branches.length === 0) return { waiting: 0, oldest: null };
  const scans = branches.map((branch) =>
    scanOf(branch, lists.waiting, { filters: [isWaiting, isThere], limit: countedAtMost, end: null }),
  );
  const { rows } = await sql<{ waiting: number; oldest: Date | null }>`
    select least(count(*), ${countedAtMost})::integer as waiting, min(at) as oldest
      from (${union(scans)}) found ${onePlan}`.execute(db);
  return rows[0] ?? { waiting: 0, oldest: null };
}

/** A question has one rule, so that no branch has what another has but where two are of the same conversation. */
const union = (scans: readonly RawBuilder<unknown>[]) => sql.join([...scans], sql` union all `);
