import type { Clock } from "../context.ts";
import type { Meters } from "../meters.ts";
import type { Store } from "../store/store.ts";
import { engineLine } from "./advance.ts";
import type { Room } from "./capacity.ts";
import { type Claimant, claim, undoClaim } from "./claim.ts";
import { claimReady, type Ready, undoReady } from "./claim-ready.ts";
import type { DatabaseRetry } from "./database-retry.ts";
import type { Kinds } from "./end-and-kill.ts";
import type { ClaimedRow } from "./large-input.ts";
import type { Slot, Slots } from "./slots.ts";

interface ClaimsParts {
  readonly db: Store["db"];
  readonly clock: Clock;
  /** This worker, as its claims name it. */
  readonly owner: string;
  readonly kinds: Kinds;
  readonly slots: Slots;
  readonly databaseRetry: DatabaseRetry;
  readonly meters?: Meters | undefined;
}

/** How executions come into the hands of one worker. A claim whose answer was lost is undone before the next try. */
export interface Claims {
  claimant(): Claimant;
  /**
   * Claims one that was started here.
   * @returns undefined where it was not ours to run, or the worker stopped
   */
  one(id: string): Promise<Slot | undefined>;
  /**
   * Claims what is ready, as `claimReady`. `take` takes one of its rows into this worker's hands.
   * @returns undefined when the worker stopped before it got through
   */
  ready(room: Room, waitFor: string | null): Promise<(Ready & { take(row: ClaimedRow): Slot }) | undefined>;
}

/** The claims of one worker. */
export function createClaims(parts: ClaimsParts): Claims {
  const { db, clock, owner, kinds, slots, databaseRetry, meters } = parts;
  /** Those whose claims by their ids are on their way. */
  const claiming = new Set<string>();

  function claimant(): Claimant {
    const names = Object.keys(kinds);
    const heldLine = engineLine(
      clock,
      "waiting: %1$s of this %2$s %3$s already running; this one goes on as soon as %4$s ends",
    );
    return { owner, kinds: names, placed: names.filter((name) => kinds[name]?.hasPlace), heldLine };
  }

  /** @param askedAt as in `Slots` */
  function take(row: ClaimedRow, askedAt: number): Slot {
    // By the clock of the database, which dated it.
    const waitedMs = Math.max(0, clock.now().getTime() - row.queued_at.getTime());
    meters?.claimed(row.kind, waitedMs / 1_000);
    return slots.take(row, askedAt);
  }

  return {
    claimant,
    async one(id) {
      let askedAt = 0;
      claiming.add(id);
      const row = await databaseRetry
        .run(async (again) => {
          if (again && !slots.has(id)) await undoClaim(db, id, owner);
          askedAt = performance.now();
          return claim(db, id, claimant());
        })
        .finally(() => claiming.delete(id));
      return row?.state === "running" ? take(row, askedAt) : undefined;
    },
    async ready(room, waitFor) {
      let askedAt = 0;
      const found = await databaseRetry.run(async (again) => {
        if (again) await undoReady(db, owner, [...slots.ids(), ...claiming]);
        askedAt = performance.now();
        return claimReady(db, claimant(), room, waitFor);
      });
      return found && { ...found, take: (row) => take(row, askedAt) };
    },
  };
}
