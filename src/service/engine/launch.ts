import { grouped } from "../store/grouped.ts";
import { isDatabaseUnavailable } from "../store/store-error.ts";
import type { WorkerContext } from "./advance.ts";
import type { Reservation } from "./capacity.ts";
import type { Claimant } from "./claim.ts";
import type { NewExecution } from "./kind.ts";
import { isLarge } from "./large-input.ts";
import { type Tenant, tenantOf } from "./shares.ts";
import type { Slot, Slots } from "./slots.ts";
import { type Speculation, speculate } from "./speculation.ts";
import { type Made, type RowsOfStart, type Start, startTogether } from "./start.ts";

interface Launching {
  readonly context: WorkerContext;
  readonly slots: Slots;
  claimant(): Pick<Claimant, "owner" | "placed">;
  reserve(tenant: Tenant): Reservation<string | Slot> | null;
}

/**
 * Starts executions, those of one moment in one statement. Where this process has room it takes them up itself; what is
 * likely to end at once it begins before, and where that has ended by the time of the statement it is written as ended.
 */
export function createLaunch({ context, slots, claimant, reserve }: Launching) {
  const insert = grouped(
    async (starts: readonly Start[]) => {
      const askedAt = performance.now();
      const made = await startTogether(context.db, starts, claimant());
      return new Map([...made].map(([start, what]) => [start, { what, askedAt }]));
    },
    {
      // Starts of one team take turns in the database.
      tenantOf: ({ execution }) => tenantOf(execution).limitKey,
      valuesOf: ({ execution, rows }) => [execution.input, rows.map(({ row }) => row)],
    },
  );
  type Inserted = { readonly what: Made; readonly askedAt: number } | undefined;

  return async function launch(execution: NewExecution, ...rows: readonly RowsOfStart[]): Promise<void> {
    // What this process cannot do is for others, and what is large comes when there is room for it.
    const canDo = context.kinds[execution.kind] !== undefined && !isLarge(execution.input);
    const room = canDo ? reserve(tenantOf(execution)) : null;
    const traced = context.tracing?.begin(execution);
    let speculation = room === null ? null : speculate(context, execution, traced?.traceOf);
    const all = traced === undefined ? rows : [...rows, traced.rows];
    const write = (begun: Speculation | null) =>
      insert({ execution, rows: all, isTaken: room !== null, end: () => begun?.end() });
    let made: Inserted;
    try {
      made = await write(speculation).catch((error: unknown) => {
        if (speculation?.end() === undefined || isDatabaseUnavailable(error)) throw error;
        // It may be the end that cannot be written: that refuses no start.
        speculation.drop();
        speculation = null;
        return write(null);
      });
    } catch (error) {
      // Should it have got through although its answer was lost, the sweep finds what has not ended.
      speculation?.drop();
      room?.free();
      throw error;
    }
    if (made?.what === "ended")
      context.meters?.ended(execution.kind, speculation?.end()?.outcome.type ?? "done");
    const row = made === undefined || made.what === "ended" ? undefined : made.what;
    const slot =
      made !== undefined && row?.state === "running" ? slots.take(row, made.askedAt, speculation) : null;
    if (slot === null) speculation?.drop();
    if (row === undefined) room?.free();
    // Whoever has started it gets the answer first.
    else setImmediate(() => room?.take(slot ?? execution.id));
  };
}
