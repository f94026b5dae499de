import { type Kysely, sql } from "kysely";
import type { Database } from "../store/schema.ts";
import type { Room } from "./capacity.ts";
import { type Claimant, lease, undone } from "./claim.ts";
import { limits } from "./engine-error.ts";
import { type ClaimedRow, claimedColumns } from "./large-input.ts";

/** What was ready for a worker. */
export interface Ready {
  /** As claimed. */
  readonly rows: readonly ClaimedRow[];
  /** Whether several teams or persons had something ready. */
  readonly isCrowded: boolean;
  /** Whose ready ones were passed over, as somebody held the lock of its limit: ask again, and wait for it. */
  readonly lockedKey: string | null;
}

/**
 * Claims what is ready for this worker, fairly: for the team that has the fewest in the hands of workers, then for the person
 * within it, then for the tree. What its limit holds back is told so.
 * @param waitFor whose limit's lock is waited for first; all others are passed over where somebody has theirs
 */
export async function claimReady(
  db: Kysely<Database>,
  { owner, kinds, placed, heldLine }: Claimant,
  { count, fullTeams, fullPeople }: Room,
  waitFor: string | null,
): Promise<Ready> {
  const { rows } = await sql<
    ClaimedRow & { readonly is_crowded: boolean; readonly locked_key: string | null }
  >`
    select ${claimedColumns(sql`ready.claimed`)}, is_crowded, locked_key
      from claim_ready(${owner}, ${kinds}, ${placed}, ${lease}, ${sql.lit(limits.running)}, ${heldLine},
                       ${count}, ${fullTeams}, ${fullPeople}, ${waitFor}) ready
  `.execute(db);
  return {
    rows: rows.filter((row) => row.locked_key === null),
    isCrowded: rows.some((row) => row.is_crowded),
    lockedKey: rows.find((row) => row.locked_key !== null)?.locked_key ?? null,
  };
}

/**
 * Undoes what this worker has claimed by `claimReady` without knowing it, as an answer was lost.
 * @param known what it has in its hands, or is claiming in other ways
 */
export async function undoReady(
  db: Kysely<Database>,
  owner: string,
  known: readonly string[],
): Promise<void> {
  // What began its life claimed is its starter's, who waits for an answer of its own.
  await sql`
    update executions set ${undone}
     where owner = ${owner} and state = 'running' and not id = any(${known}::text[])
       and not (epoch = 1 and started_at = created_at)
  `.execute(db);
}
