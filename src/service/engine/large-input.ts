import { type Kysely, type RawBuilder, sql } from "kysely";
import type { ByteRoom } from "../byte-room.ts";
import { type JsonValue, roughBytes } from "../json.ts";
import type { Database } from "../store/schema.ts";
import type { ExecutionRow } from "./rows.ts";
import type { Slot } from "./slots.ts";

/** An input of more bytes waits for room before it is read: worked on, it is in memory several times. */
const largeBytes = 1_000_000;
/** So many bytes of large inputs are worked on in one process at a time. */
export const roomForInputs = 20_000_000;

/** As an execution is claimed: with its input, unless that is large. */
export type ClaimedRow = ExecutionRow & {
  /** Of an input that was left out. */
  readonly left_bytes?: number | null;
};

const columns: Readonly<Record<Exclude<keyof ExecutionRow, "input">, true>> = {
  ...{ id: true, kind: true, root_id: true, parent_id: true, parent_step: true, depth: true },
  ...{ subject_id: true, user_id: true, team_id: true, limit_key: true, state: true, epoch: true },
  ...{ owner: true, lease: true, wake_seq: true, attempts: true, queued_at: true, held_at: true },
  ...{ has_place: true, waits_for_people: true, waited_ms: true, result: true, error: true, log_count: true },
  ...{ log_bytes: true, tree_size: true, revision: true, created_at: true, started_at: true },
  ...{ finished_at: true },
};

/** The columns of a `ClaimedRow`. @param row an expression of the type of `executions` */
export function claimedColumns(row: RawBuilder<unknown>): RawBuilder<unknown> {
  const size = sql`octet_length((${row}).input::text)`;
  const isLarge = sql`${size} > ${sql.lit(largeBytes)}`;
  return sql`${sql.join(Object.keys(columns).map((name) => sql`(${row}).${sql.ref(name)}`))},
    case when not (${isLarge}) then (${row}).input end as input, case when ${isLarge} then ${size} end as left_bytes`;
}

/** Whether what is about to be started has a large input. */
export const isLarge = (input: JsonValue): boolean => roughBytes(input, largeBytes) > largeBytes;

/**
 * Waits for room for the input of an execution that was claimed without it, and reads it then.
 * @returns gives the room back
 */
export async function readLargeInput(db: Kysely<Database>, room: ByteRoom, slot: Slot): Promise<() => void> {
  const { team_id: team, user_id: person } = slot.row;
  const place = room.enter(team ?? person ?? "");
  const leave = () => place.leave();
  const { signal } = slot.abort;
  // Who has lost it waits for nothing more.
  signal.addEventListener("abort", leave, { once: true });
  await place.take(slot.row.left_bytes ?? 0);
  signal.removeEventListener("abort", leave);
  if (signal.aborted) return leave;
  try {
    const { input } = await db
      .selectFrom("executions")
      .select("input")
      .where("id", "=", slot.claim.id)
      .executeTakeFirstOrThrow();
    slot.row = { ...slot.row, input };
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
