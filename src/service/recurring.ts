/** Work that is done at once and then now and then. */
export interface Recurring {
  start(): void;
  /** Ends what is under way by its signal, and resolves when that has ended. */
  stop(): Promise<void>;
}

/** Recurring work that can also be asked for between two times. */
export interface RecurringOnDemand extends Recurring {
  /** Does it now, unless it is being done. */
  now(): void;
}

/**
 * Work that several processes may do, one time after the other, until it is stopped.
 * @param work one time of it; its signal says that it should end
 * @param everyMs milliseconds from one time to the next
 * @param onFailure hears why one time failed; the next is tried all the same
 */
export function createRecurring(
  work: (signal: AbortSignal) => Promise<void>,
  everyMs: number,
  onFailure: (error: unknown) => void,
): RecurringOnDemand {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let under: Promise<void> | null = null;
  // One that takes longer than the time between two leaves the next out, so that none pile up.
  const now = () => {
    if (stopping.signal.aborted) return;
    under ??= work(stopping.signal)
      .catch(onFailure)
      .finally(() => {
        under = null;
      });
  };
  return {
    now,
    start() {
      if (timer !== null || stopping.signal.aborted) return;
      now();
      timer = setInterval(now, everyMs).unref();
    },
    async stop() {
      stopping.abort();
      if (timer !== null) clearInterval(timer);
      await under;
    },
  };
}
