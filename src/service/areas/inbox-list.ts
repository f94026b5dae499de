import { type Kysely, type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { answerableBy, type Operators, type QuestionBranch, seenBy } from "../permission/approvals.ts";
import { sourceBranches } from "../permission/sources.ts";
import { onePlan } from "../store/prepared.ts";
import type { Database } from "../store/schema.ts";
import type { Caller, Request } from "./handler.ts";
import { cutPage, keyTime, type PageCursor, readCursor, timeKey, timeKeyForm } from "./page.ts";

type Query = Request<typeof endpoints.listInbox>["query"];

/** A question that is `waiting` in the table may have lapsed, and its turn not have heard of it yet. */
export const isWaiting = sql<boolean>`(approvals.state = 'waiting' and approvals.lapses_at > clock_timestamp())`;

/**
 * Of a run, or of a conversation that nobody has deleted. A value and no `exists`: that becomes a join, which reads all
 * conversations.
 */
export const isThere = sql<boolean>`(approvals.run_id is not null or coalesce((
  select interactions.deleted_at is null from interactions where interactions.id = approvals.interaction_id), false))`;

/** A draft can be approved once its files are counted: until then nobody knows what that costs. */
const isCounted = sql<boolean>`not exists (
  select from knowledge_files file where file.source_id = source.id and file.status = 'estimating')`;

const waiting = {
  questions: { holds: isWaiting, partOf: sql`approvals.state = 'waiting'`, at: "asked_at" },
  ofNamed: sql`named.ended_at is null`,
  sources: { holds: isCounted, partOf: sql`source.status = 'draft'`, at: "created_at" },
  ...{ direction: sql.raw("asc"), after: sql.raw(">") },
} as const;

/** The orders of the lists: which rows, by which time, and whether by what they cost before that. */
const orders = {
  oldest: { ...waiting, byTokens: false },
  dearest: { ...waiting, byTokens: true },
  answered: {
    questions: { holds: sql<boolean>`true`, partOf: sql`approvals.state <> 'waiting'`, at: "ended_at" },
    ofNamed: sql`named.ended_at is not null`,
    sources: { holds: sql<boolean>`true`, partOf: sql`source.approved_at is not null`, at: "approved_at" },
    ...{ direction: sql.raw("desc"), after: sql.raw("<"), byTokens: false },
  },
} as const;
type Order = (typeof orders)[keyof typeof orders];

/** What approving a source would have read, in tokens: a credit is a thousand of them. */
export const sourceTokens = sql<string>`(round(source.estimated_credits * 1000))::bigint`;

/** An entry of a page: a question, or a knowledge source. */
export interface InboxEntry {
  readonly id: string;
  readonly isSource: boolean;
}

/** How a cursor of an order by tokens is written: their negative, and the time. */
const tokensKeyForm = /^-?\d{1,18}:\d{1,18}$/;

/**
 * The ids of a page. Each branch is read in the order of its index and merged as far as the page goes.
 * @throws ServiceError `invalid_cursor`
 */
export async function inboxPage(
  db: Kysely<Database>,
  caller: Caller,
  operators: Operators,
  { state = "waiting", mine = false, session_id, run_id, page_size: size = 20, cursor, order: by }: Query,
): Promise<{ readonly entries: readonly InboxEntry[]; readonly next_cursor: string | null }> {
  const name = state === "waiting" ? (by ?? "oldest") : "answered";
  const order: Order = orders[name];
  const { direction, byTokens } = order;
  const list = `inbox:${name === "oldest" ? "waiting" : name}`;
  const end = cursor === undefined ? null : readCursor(list, cursor, byTokens ? tokensKeyForm : timeKeyForm);
  const about = [
    ...(session_id === undefined ? [] : [sql`approvals.interaction_id = ${session_id}`]),
    ...(run_id === undefined ? [] : [sql`approvals.run_id = ${run_id}`]),
  ];
  const limit = sql.lit(size + 1);
  const scans = scansOf(caller, operators, order, { about, limit, end, mine });
  if (scans.length === 0) return { entries: [], next_cursor: null };
  const sorted = byTokens ? sql`rank ${direction}, at ${direction}` : sql`at ${direction}`;
  const key = byTokens ? sql<string>`rank::text || ':' || ${timeKey("at")}` : timeKey("at");
  const { rows } = await sql<PageCursor & InboxEntry>`
    select id, is_source as "isSource", ${key} as key from (${union(scans)}) found
     group by id, is_source, rank, at order by ${sorted}, id ${direction} limit ${limit} ${onePlan}`.execute(
    db,
  );
  const page = cutPage(rows, size, list, ({ key, id }) => ({ key, id }));
  return { entries: page.rows.map(({ id, isSource }) => ({ id, isSource })), next_cursor: page.next_cursor };
}

interface Wanted {
  /** Conditions on what questions are about; with any there are no sources. */
  readonly about: readonly RawBuilder<unknown>[];
  readonly limit: RawBuilder<unknown>;
  /** Where the page before ended. */
  readonly end: PageCursor | null;
  /** Only what the caller may answer. */
  readonly mine: boolean;
}

function scansOf(
  caller: Caller,
  operators: Operators,
  order: Order,
  wanted: Wanted,
): readonly RawBuilder<unknown>[] {
  const { about, mine } = wanted;
  const branches = mine ? answerableBy(caller, operators) : seenBy(caller, operators);
  // Of one conversation or run they are few, and found by that.
  const questions = branches.map(({ condition, named }) =>
    questionScan({ condition, named: about.length > 0 ? null : named }, order, wanted),
  );
  if (about.length > 0) return questions;
  const sources = sourceBranches(caller, mine ? "edit" : "see");
  return [...questions, ...sources.map((condition) => sourceScan(condition, order, wanted))];
}

/** The columns of a scan by which it is in order, where it goes on, and how far. */
function inOrder(
  { byTokens, direction, after }: Order,
  { rank, at, id }: Readonly<Record<"rank" | "at" | "id", RawBuilder<unknown>>>,
  { end, limit }: Pick<Wanted, "end" | "limit">,
) {
  const columns = [...(byTokens ? [rank] : []), at, id];
  const [time = "", tokens = "0"] = (end?.key ?? "").split(":").reverse();
  const values = end && [...(byTokens ? [sql`${tokens}::bigint`] : []), keyTime(time), sql`${end.id}`];
  return {
    behind: values ? sql`(${sql.join(columns)}) ${after} (${sql.join(values)})` : sql`true`,
    first: sql`order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))} limit ${limit}`,
    rank: byTokens ? rank : sql`0::bigint`,
  };
}

/** The first questions of a branch, in the order of its list. */
function questionScan(
  { condition, named }: QuestionBranch,
  order: Order,
  wanted: Wanted,
): RawBuilder<unknown> {
  const { holds, partOf, at } = order.questions;
  const all = sql.join([condition, partOf, holds, isThere, ...wanted.about], sql` and `);
  if (named === null) {
    const time = sql.ref(`approvals.${at}`);
    const columns = { rank: sql`(-approvals.tokens)`, at: time, id: sql.ref("approvals.id") };
    const { behind, first, rank } = inOrder(order, columns, wanted);
    return sql`(select approvals.id, ${time} as at, ${rank} as rank, false as is_source from approvals
      where ${all} and ${behind} ${first})`;
  }
  const time = sql.ref(`named.${at}`);
  const columns = { rank: sql`(-named.tokens)`, at: time, id: sql.ref("named.approval_id") };
  const { behind, first, rank } = inOrder(order, columns, wanted);
  // Each question by its key, so that they stay in the order in which they name this person.
  return sql`(select approvals.id, ${time} as at, ${rank} as rank, false as is_source from approval_people named
      cross join lateral (select * from approvals where approvals.id = named.approval_id offset 0) approvals
      where named.user_id = ${named} and ${order.ofNamed} and ${behind} and ${all} ${first})`;
}

/** The same of knowledge sources. */
function sourceScan(condition: RawBuilder<boolean>, order: Order, wanted: Wanted): RawBuilder<unknown> {
  const { holds, partOf, at } = order.sources;
  const time = sql.ref(`source.${at}`);
  const columns = { rank: sql`(-${sourceTokens})`, at: time, id: sql.ref("source.id") };
  const { behind, first, rank } = inOrder(order, columns, wanted);
  return sql`(select source.id, ${time} as at, ${rank} as rank, true as is_source from knowledge_sources source
      where source.deleted_at is null and ${partOf} and ${condition} and ${behind} and ${holds} ${first})`;
}

/** It says no more than that there are many. */
const countedAtMost = sql.lit(1_000);

/** What waits for the caller's own answer, and since when. */
export async function countWaiting(
  db: Kysely<Database>,
  caller: Caller,
  operators: Operators,
): Promise<{ readonly waiting: number; readonly oldest: Date | null }> {
  const wanted = { about: [], limit: countedAtMost, end: null, mine: true };
  const scans = scansOf(caller, operators, orders.oldest, wanted);
  if (scans.length === 0) return { waiting: 0, oldest: null };
  const { rows } = await sql<{ waiting: number; oldest: Date | null }>`
    select least(count(*), ${countedAtMost})::integer as waiting, min(at) as oldest
      from (${union(scans)}) found ${onePlan}`.execute(db);
  return rows[0] ?? { waiting: 0, oldest: null };
}

/** A question has one rule, and a source one owner, so that no branch has what another has but where two are of the same. */
const union = (scans: readonly RawBuilder<unknown>[]) => sql.join([...scans], sql` union all `);
