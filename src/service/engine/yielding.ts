import { personKey, type Tenant } from "./shares.ts";
import { createWaitingLine } from "./waiting-line.ts";

/** How long others wait for one that has begun, in milliseconds: what is short is over by then. No step waits longer. */
const longestMs = 150;
/**
 * Who begins so soon after its last was over, in milliseconds, starts one after the other: for these they wait on for a moment,
 * as long as half of what can be kept is there, so that the next does not meet them all in between.
 */
const rowMs = 50;
const afterMs = 10;
/** How old what the others were told may be, in milliseconds, before one more is told: they forget it after `longestMs`. */
const toldForMs = longestMs / 2;
/** Of all time, how much others may wait. What they have not waited is kept for later, up to so many milliseconds. */
const share = 0.5;
const mostKeptMs = 5_000;

/** What a process tells the others: `hold`, something of a quiet tenant has begun; `resume`, it is over. */
export type Hold = "hold" | "resume";

/** Whoever has much at work lets those go first who have nothing else. */
export interface Yielding {
  /** Something begins of a tenant with nothing else here, beside one with much. @returns called when it is over */
  onQuiet(tenant: Tenant): () => void;
  /** What a process has told, be it another one or this. */
  onHold(hold: Hold, process: string, tenant: Tenant): void;
  /** Resolves when this tenant need not wait for any of them: mostly at once, and always after `longestMs`. */
  giveWay(tenant: Tenant | null): Promise<void>;
}

interface Begun {
  readonly tenant: Tenant;
  /** When the other processes were told of it; monotonic. */
  readonly toldAt: number;
  /** Ends it for those who wait, whatever becomes of it. */
  timer: NodeJS.Timeout;
}

interface Among {
  /** The name of this process. */
  readonly process: string;
  /** Whether the first has so much at work here that it waits for the other. */
  mustYield(tenant: Tenant, to: Tenant): boolean;
  /** Tells all processes: it helps, and nothing depends on it. */
  tell(hold: Hold, tenant: Tenant): void;
}

/**
 * Keeps short what is short beside a tenant with much at work, whose statements keep the database busy: between two steps that
 * one waits, for half of all time at most, as if the two took turns.
 */
export function createYielding({ process, mustYield, tell }: Among): Yielding {
  const begun = new Map<string, Begun>();
  /** When the last one of this process was over, by the same key, the latest at the end; none that is older than `rowMs`. */
  const overAt = new Map<string, number>();
  let keptMs = mostKeptMs;
  /** Since when `keptMs` is what it is; monotonic. */
  let asOf = performance.now();

  const settle = () => {
    const now = performance.now();
    keptMs = Math.min(mostKeptMs, keptMs + (now - asOf) * (begun.size > 0 ? share - 1 : share));
    asOf = now;
  };
  const waits = (tenant: Tenant) => [...begun.values()].some((one) => mustYield(tenant, one.tenant));
  const line = createWaitingLine((tenant) => !waits(tenant), longestMs);
  const keyOf = (from: string, tenant: Tenant) => `${from} ${personKey(tenant)}`;
  const end = (key: string) => {
    settle();
    clearTimeout(begun.get(key)?.timer);
    begun.delete(key);
    line.callNext();
  };
  const begin = (key: string, tenant: Tenant, toldAt: number) => {
    settle();
    if (keptMs <= 0) return end(key);
    clearTimeout(begun.get(key)?.timer);
    begun.set(key, { tenant, toldAt, timer: setTimeout(() => end(key), longestMs).unref() });
  };
  const rememberEnd = (key: string) => {
    overAt.delete(key);
    overAt.set(key, asOf);
    for (const [other, at] of overAt) {
      if (asOf - at <= rowMs) break;
      overAt.delete(other);
    }
  };

  return {
    onQuiet(tenant) {
      const key = keyOf(process, tenant);
      const now = performance.now();
      const [wasOverAt, toldAt] = [overAt.get(key), begun.get(key)?.toldAt];
      const isRow = wasOverAt !== undefined && now - wasOverAt < rowMs;
      const isTold = toldAt !== undefined && now - toldAt < toldForMs;
      begin(key, tenant, isTold ? toldAt : now);
      if (!isTold) tell("hold", tenant);
      const resume = () => {
        end(key);
        tell("resume", tenant);
      };
      return () => {
        settle();
        rememberEnd(key);
        const held = begun.get(key);
        if (held === undefined || !isRow || keptMs <= mostKeptMs / 2) return resume();
        clearTimeout(held.timer);
        held.timer = setTimeout(resume, afterMs).unref();
      };
    },
    onHold(hold, from, tenant) {
      if (from === process) return;
      const key = keyOf(from, tenant);
      if (hold === "hold") begin(key, tenant, performance.now());
      else end(key);
    },
    async giveWay(tenant) {
      if (tenant === null || !waits(tenant)) return;
      await new Promise<void>((go) => {
        line.join(tenant, { go, giveUp: go });
      });
    },
  };
}
