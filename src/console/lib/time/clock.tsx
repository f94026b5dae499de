import { createContext, type ReactNode, useCallback, useContext, useSyncExternalStore } from "react";
import { usePreferences } from "../preferences/preferences.tsx";
import type { TimeReader } from "./format.ts";

/** What shows the time reads it here: tests give a clock that stands. All values are ms since 1970. */
export interface TickingClock {
  now(): number;
  /** Calls back about once a second while the page is visible. Returns the way to stop. */
  subscribe(tick: () => void): () => void;
}

const tickMs = 1000;

/** One interval for everything that ticks on the page; it rests while nobody looks. */
export function makeClock(now: () => number = Date.now): TickingClock {
  const listeners = new Set<() => void>();
  let current = now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    if (document.hidden) return;
    current = now();
    for (const listener of listeners) listener();
  };
  return {
    now: () => current,
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        // Time that was read since it last ticked stays as true as between two ticks: nothing is drawn again for less.
        if (now() - current >= tickMs) current = now();
        timer = setInterval(tick, tickMs);
        document.addEventListener("visibilitychange", tick);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
        document.removeEventListener("visibilitychange", tick);
      };
    },
  };
}

const ClockContext = createContext<TickingClock | null>(null);

/** Gives the clock to all below. */
export function ClockProvider({ clock, children }: { clock: TickingClock; children: ReactNode }) {
  return <ClockContext value={clock}>{children}</ClockContext>;
}

const standing = () => () => {};

/**
 * The present moment, ms since 1970, in whole steps of `step` ms; renders again when a step has passed, while
 * `isTicking`. Whoever shows minutes asks for minutes, and is left alone in between.
 */
export function useNow(isTicking = true, step = 1): number {
  const clock = useContext(ClockContext);
  if (!clock) throw new Error("useNow needs a ClockProvider above it");
  const subscribe = useCallback(
    (listener: () => void) => (isTicking ? clock.subscribe(listener) : standing()),
    [clock, isTicking],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(clock.now() / step) * step);
}

/** Days begin at a quarter of an hour in every zone: asking more often would change no day. */
const quarterHour = 15 * 60_000;

/** For whom the times of the page are written; renders again in time for a new day, so that "today" stays true. */
export function useTimeReader(): TimeReader {
  const { zone } = usePreferences();
  return { zone, now: useNow(true, quarterHour) };
}
