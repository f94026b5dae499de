import { setMaxListeners } from "node:events";
import type { Kysely } from "kysely";
import type { Database } from "../store/schema.ts";
import { leaseSeconds, renewLeases } from "./claim.ts";
import { Fenced, LeaseRanOut } from "./engine-error.ts";
import type { OpenJournal } from "./journal.ts";
import type { Claim } from "./record.ts";
import type { ExecutionRow } from "./rows.ts";
import type { Signal } from "./signals.ts";

/** An execution in this worker's hands. */
export interface Slot {
  readonly row: ExecutionRow;
  readonly claim: Claim;
  readonly abort: AbortController;
  /** Monotonic time of the last moment when the lease was surely ours, in milliseconds. */
  leasedAt: number;
  /** How often it has been woken, as far as we were told. */
  wakeSeq: number;
  journal: OpenJournal | null;
}

/** All that this worker has in its hands, and what it is told about it. */
export interface Slots {
  /** Takes a row as it was just claimed. */
  take(row: ExecutionRow): Slot;
  release(slot: Slot): void;
  has(id: string): boolean;
  /** What somebody else told us. */
  hear(signal: Signal, id: string): void;
  abortAll(reason: Error): void;
  /**
   * Renews all leases; aborts what is no longer ours, wakes what was woken.
   * @throws what the database throws; what nobody has answered for as long as a lease lasts is aborted then
   */
  beat(): Promise<void>;
}

export function createSlots(db: Kysely<Database>, owner: string): Slots {
  const slots = new Map<string, Slot>();

  function wake(slot: Slot, wakeSeq: number): void {
    slot.wakeSeq = wakeSeq;
    // Should it fail, the execution still looks again before it waits.
    slot.journal?.wake().catch(() => undefined);
  }

  function fence(id: string): void {
    slots.get(id)?.abort.abort(new Fenced(id));
  }

  return {
    take(row) {
      const { id, epoch } = row;
      const abort = new AbortController();
      // A kind may have many things in flight.
      setMaxListeners(0, abort.signal);
      // We may have lost it to ourselves, while this process stood still.
      fence(id);
      const slot = {
        row,
        abort,
        claim: { id, epoch },
        leasedAt: performance.now(),
        wakeSeq: row.wake_seq,
        journal: null,
      };
      slots.set(id, slot);
      return slot;
    },
    release(slot) {
      if (slots.get(slot.claim.id) === slot) slots.delete(slot.claim.id);
    },
    has: (id) => slots.has(id),
    hear(signal, id) {
      const slot = slots.get(id);
      if (signal === "over") fence(id);
      else if (slot !== undefined) wake(slot, slot.wakeSeq + 1);
    },
    abortAll(reason) {
      for (const slot of slots.values()) slot.abort.abort(reason);
    },
    async beat() {
      const asked = [...slots.values()];
      if (asked.length === 0) return;
      const at = performance.now();
      try {
        const beats = await renewLeases(db, owner, [...slots.keys()]);
        const found = new Map(beats.map((one) => [one.id, one]));
        for (const slot of asked) {
          const mine = found.get(slot.claim.id);
          if (mine?.epoch !== slot.claim.epoch) {
            slot.abort.abort(new Fenced(slot.claim.id));
            continue;
          }
          slot.leasedAt = at;
          if (mine.wake_seq > slot.wakeSeq) wake(slot, mine.wake_seq);
        }
      } catch (error) {
        const limit = performance.now() - leaseSeconds * 1_000;
        for (const slot of asked) if (slot.leasedAt < limit) slot.abort.abort(new LeaseRanOut());
        throw error;
      }
    },
  };
}
