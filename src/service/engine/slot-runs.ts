import { createByteRoom } from "../byte-room.ts";
import { batched } from "../store/batch.ts";
import { sentenceOf } from "../store/store-error.ts";
import { advance, type WorkerContext } from "./advance.ts";
import { type Requeue, requeue, tellOfPlaces } from "./claim.ts";
import type { Claims } from "./claims.ts";
import type { DatabaseRetry } from "./database-retry.ts";
import { Stopping } from "./engine-error.ts";
import { readLargeInput, roomForInputs } from "./large-input.ts";
import type { Slot, Slots } from "./slots.ts";
import { handOutStarted } from "./start.ts";

interface SlotRunsParts {
  readonly context: WorkerContext;
  readonly slots: Slots;
  readonly claims: Claims;
  readonly databaseRetry: DatabaseRetry;
}

/** What becomes of an execution, or of one that is still to be claimed. None of it rejects. */
interface SlotRuns {
  /** Advances it here. @param leave called when it needs its room no more although it is not over yet */
  execute(what: string | Slot, leave: () => void): Promise<void>;
  /** Leaves it to others: of what was started just now and is not taken up here nobody else has been told. */
  handOut(what: string | Slot): Promise<void>;
}

/** Runs what one worker has room for, and gives back what it cannot go on with. */
export function createSlotRuns({ context, slots, claims, databaseRetry }: SlotRunsParts): SlotRuns {
  const { db, log } = context;
  const inputs = createByteRoom(roomForInputs);
  const tellOfPlacesOf = batched(async (limitKeys: readonly string[]) => {
    await tellOfPlaces(db, limitKeys);
    return new Map<string, never>();
  });

  async function handOut(what: string | Slot): Promise<void> {
    if (typeof what === "string") return handOutStarted(db, what);
    await requeueSlot(what, { suspect: false, pauseSeconds: 0 });
    slots.release(what);
  }

  async function execute(what: string | Slot, leave: () => void): Promise<void> {
    const slot = typeof what === "string" ? await claims.one(what) : what;
    if (slot === undefined) return;
    await runSlot(slot, leave);
    await databaseRetry.run(() => tellOfPlacesOf(slot.row.limit_key));
  }

  async function runSlot(slot: Slot, leave: () => void): Promise<void> {
    if (databaseRetry.stopped) slot.abort.abort(new Stopping());
    let leaveRoom = () => {};
    try {
      if (slot.row.left_bytes != null) {
        const leave = await databaseRetry.run(() => readLargeInput(db, inputs, slot));
        if (leave === undefined) slot.abort.abort(new Stopping());
        else leaveRoom = leave;
      }
      await context.giveWay(slot.claim.id);
      const result = await advance(context, slot, leave);
      if (result !== "nothing") await requeueSlot(slot, result);
    } finally {
      slots.release(slot);
      leaveRoom();
    }
  }

  /** Queues an execution again; while the database is away, in the background, so that the place is free. */
  async function requeueSlot(slot: Slot, how: Requeue): Promise<void> {
    slot.idle.start();
    const giveBack = () => requeue(db, slot.claim, how, slot.idle.ms());
    try {
      await giveBack();
    } catch (error) {
      const about = { execution: slot.claim.id, reason: sentenceOf(error) };
      log.warn(about, "an execution could not be given back yet");
      databaseRetry.run(giveBack).catch(() => undefined);
    }
  }

  /** What went wrong goes to the log: others find the execution. */
  const toLog = (what: string | Slot, work: Promise<void>) =>
    work.catch((error: unknown) =>
      log.error(
        { execution: typeof what === "string" ? what : what.claim.id, err: error },
        "an execution was left",
      ),
    );
  return {
    execute: (what, leave) => toLog(what, execute(what, leave)),
    handOut: (what) => toLog(what, handOut(what)),
  };
}
