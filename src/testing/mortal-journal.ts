import type { Journal } from "../service/engine/kind.ts";

/** Where the worker dies: at the write of that number, before or after it is made. */
export interface Death {
  moment: number;
  side: "before" | "after";
  writes: number;
  happened: boolean;
}

/** A journal whose worker stops for ever at one of its writes. */
export function mortal(journal: Journal, death: Death): Journal {
  const counted = <A extends unknown[]>(write: (...args: A) => Promise<void>) => {
    return async (...args: A) => {
      const now = !death.happened && death.writes++ === death.moment;
      if (now) death.happened = true;
      if (!now || death.side === "after") await write(...args);
      if (now) await new Promise<never>(() => {});
    };
  };
  const { signal, record, wait, spawn, log, woken, steps } = journal;
  return {
    ...{ signal, woken, steps },
    record: counted(record),
    wait: counted(wait),
    spawn: counted(spawn),
    log: counted(log),
  };
}
