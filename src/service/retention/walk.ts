import { sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { type RetentionKind, type RetentionRules, youngest } from "./rules.ts";

/** Where a walk through the ended has come to. */
export interface WalkPosition {
  /** Text, as a `Date` would lose the microseconds. */
  readonly ended: string;
  readonly id: string;
}

/** What one small transaction did. */
export interface Batch<P> {
  readonly removed: number;
  /** Bytes that may go when this is committed. */
  readonly fileIds: readonly string[];
  /** Where the next one begins; null: this was the last. */
  readonly next: P | null;
}

interface Looked {
  readonly id: string;
  readonly kind: string;
  readonly subject_id: string;
  readonly parent_id: string | null;
  readonly tree_size: number;
  readonly ended: string;
}

/**
 * The next runs and turns that ended, oldest first, which are old enough for some team.
 * @param kinds whose rules say what is old
 * @param count at most so many are looked at
 */
export async function nextEnded(
  tx: Tx,
  rules: RetentionRules,
  kinds: readonly RetentionKind[],
  after: WalkPosition | null,
  count: number,
): Promise<readonly Looked[]> {
  const from =
    after === null ? sql`true` : sql`(finished_at, id) > (${after.ended}::timestamptz, ${after.id})`;
  const { rows } = await sql<Looked>`
    select id, kind, subject_id, parent_id, tree_size, finished_at::text as ended from executions
     where finished_at is not null and kind in ('pipeline', 'turn')
       and finished_at >= ${after?.ended ?? "-infinity"}::timestamptz and ${from}
       and finished_at < ${youngest(rules, kinds)}
     order by finished_at, id limit ${sql.lit(count)}`.execute(tx);
  return rows;
}

/** Where to go on after these; null where fewer came than were asked for. */
export function positionAfter(looked: readonly Looked[], count: number): WalkPosition | null {
  const last = looked.at(-1);
  return last === undefined || looked.length < count ? null : { ended: last.ended, id: last.id };
}
