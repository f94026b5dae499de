import { cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

const sampleMs = 120;
/** What others may take of the processors. */
const enough = 0.3;
const waitsAtMostMs = 60_000;

/** The share of all processors that were busy during the next moment. */
async function busyShare(): Promise<number> {
  const before = times();
  await wait(sampleMs);
  const after = times();
  return (after.busy - before.busy) / Math.max(1, after.all - before.all);
}

function times(): { busy: number; all: number } {
  let busy = 0;
  let all = 0;
  for (const { times: one } of cpus()) {
    const total = one.user + one.nice + one.sys + one.irq + one.idle;
    all += total;
    busy += total - one.idle;
  }
  return { busy, all };
}

/**
 * Others' work on the machine makes every figure worse, and a slow page worse than a quick one. Waits for a moment without
 * it, for a minute in all: then the bench goes on as it is, and its record says how busy it was.
 * @returns the share that was busy when it went on
 */
export function createQuiet(): () => Promise<number> {
  let left = waitsAtMostMs;
  return async () => {
    for (;;) {
      const busy = await busyShare();
      if (busy <= enough || left <= 0) return Math.round(busy * 100) / 100;
      left -= sampleMs;
    }
  };
}
