import { setMaxListeners } from "node:events";
import type { Store } from "../store/store.ts";
import { type Claim, leaseSeconds, renewLeases } from "./claim.ts";
import { Fenced, LeaseExpired } from "./engine-error.ts";
import { type IdleTime, idleTime } from "./idle.ts";
import type { OpenJournal } from "./journal.ts";
import type { ClaimedRow } from "./large-input.ts";
import type { Tenant } from "./shares.ts";
import type { Signal } from "./signals.ts";
import type { Speculation } from "./speculation.ts";

/** An execution in this worker's hands. */
export interface Slot {
  row: ClaimedRow;
  readonly claim: Claim;
  readonly abort: AbortController;
  /** Before it is begun, and after it was given up until somebody else may have it. */
  readonly idle: IdleTime;
  /** Gives it up when its lease is about to run out, by our own clock: whether the database answers or not. */
  leaseTimer: NodeJS.Timeout;
  /** How often it has been woken, as far as we were told. */
  wakeSeq: number;
  journal: OpenJournal | null;
  /** Where it was begun before it was stored. */
  readonly speculation: Speculation | null;
}

/** All that this worker has in its hands, and what it is told about it. */
export interface Slots {
  /** Takes a row as it was just claimed. @param askedAt monotonic time before the claim was sent, in milliseconds */
  take(row: ClaimedRow, askedAt: number, speculation?: Speculation | null): Slot;
  release(slot: Slot): void;
  has(id: string): boolean;
  ids(): string[];
  /** Whose it is; null where it is not here. */
  tenantOf(id: string): Tenant | null;
  /** What somebody else told us. */
  onSignal(signal: Signal, id: string): void;
  abortAll(reason: Error): void;
  /**
   * Renews all leases; aborts what is no longer ours, wakes what was woken.
   * @throws what the database throws, also where it says nothing for a while
   */
  heartbeat(): Promise<void>;
}

/** A second before others may have it: what is at work needs a moment to stop. In milliseconds. */
const safeLeaseMs = leaseSeconds * 1_000 - 1_000;

/** For an execution. */
export function newAbort(): AbortController {
  const abort = new AbortController();
  // A kind may have many things in flight.
  setMaxListeners(0, abort.signal);
  return abort;
}

/** @param owner this worker, as its claims name it */
export function createSlots(store: Store, owner: string): Slots {
  const slots = new Map<string, Slot>();

  /** @param askedAt when the lease was asked for that was given: it began after that */
  function startLeaseTimer(abort: AbortController, askedAt: number): NodeJS.Timeout {
    const left = askedAt + safeLeaseMs - performance.now();
    return setTimeout(() => abort.abort(new LeaseExpired()), left).unref();
  }

  function wake(slot: Slot, wakeSeq: number): void {
    slot.wakeSeq = wakeSeq;
    // Should it fail, the execution still looks again before it waits.
    slot.journal?.wake().catch(() => undefined);
  }

  function fence(id: string): void {
    slots.get(id)?.abort.abort(new Fenced(id));
  }

  /** @returns those that are ours, and that somebody held */
  async function renew(asked: readonly Slot[], held: "skip" | "wait"): Promise<Slot[]> {
    if (asked.length === 0) return [];
    const askedAt = performance.now();
    const ids = asked.map((slot) => slot.claim.id);
    const found = new Map(
      (await renewLeases(store, owner, ids, held)).map((heartbeat) => [heartbeat.id, heartbeat]),
    );
    return asked.filter((slot) => {
      const mine = found.get(slot.claim.id);
      if (mine?.epoch !== slot.claim.epoch) {
        slot.abort.abort(new Fenced(slot.claim.id));
        return false;
      }
      if (mine.renewed && slots.get(slot.claim.id) === slot) {
        clearTimeout(slot.leaseTimer);
        slot.leaseTimer = startLeaseTimer(slot.abort, askedAt);
      }
      if (mine.wake_seq > slot.wakeSeq) wake(slot, mine.wake_seq);
      return !mine.renewed;
    });
  }

  return {
    take(row, askedAt, speculation = null) {
      const { id, epoch } = row;
      const abort = speculation?.abort ?? newAbort();
      // We may have lost it to ourselves, while this process stood still.
      fence(id);
      const slot = {
        row,
        abort,
        idle: idleTime(),
        claim: { id, epoch },
        leaseTimer: startLeaseTimer(abort, askedAt),
        wakeSeq: row.wake_seq,
        journal: null,
        speculation,
      };
      slots.set(id, slot);
      return slot;
    },
    release(slot) {
      clearTimeout(slot.leaseTimer);
      slot.speculation?.drop();
      if (slots.get(slot.claim.id) === slot) slots.delete(slot.claim.id);
    },
    has: (id) => slots.has(id),
    ids: () => [...slots.keys()],
    tenantOf(id) {
      const row = slots.get(id)?.row;
      return row === undefined ? null : { limitKey: row.limit_key, person: row.user_id ?? "" };
    },
    onSignal(signal, id) {
      const slot = slots.get(id);
      if (signal === "over") fence(id);
      else if (slot !== undefined) wake(slot, slot.wakeSeq + 1);
    },
    abortAll(reason) {
      for (const slot of slots.values()) slot.abort.abort(reason);
    },
    async heartbeat() {
      const held = await renew([...slots.values()], "skip");
      // Each on its own: one may be held for long, another is only written to all the time.
      await Promise.all(held.map((slot) => renew([slot], "wait")));
    },
  };
}
