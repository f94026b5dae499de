import type { Logger } from "pino";

/** A stop that was asked for by a signal. */
export interface Stopping {
  /** Resolves at the first SIGTERM, SIGINT or SIGHUP. */
  readonly asked: Promise<void>;
  /** How long work in flight may still take, in milliseconds; the whole stop ends within 30 s. */
  readonly graceMs: number;
  /** How long requests in flight may still take, in milliseconds: what is left of the time until the stop must be over. */
  requestsMs(): number;
}

const graceMs = 20_000;
const limitMs = 29_000;
/** For closing what the service has opened. */
const closeMs = 2_000;
/** However long the work took. */
const leastRequestsMs = 2_000;
/** npm passes Ctrl-C on to a child that the terminal already told: the same key press arrives twice. */
const sameKeyPressMs = 500;

/** Listens for the signals that stop the process. A second SIGINT ends it at once. */
export function stopOnSignals(log: Logger): Stopping {
  let askedAt: number | null = null;
  const asked = new Promise<void>((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      const now = performance.now();
      if (askedAt !== null) {
        if (signal === "SIGINT" && now - askedAt > sameKeyPressMs) process.exit(130);
        return;
      }
      askedAt = now;
      setTimeout(() => {
        log.error("the stop took too long; what is unfinished goes on at the next start");
        process.exit(1);
      }, limitMs).unref();
      resolve();
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
    // Its terminal was closed: left alone, that would end it in the middle of everything.
    process.on("SIGHUP", onSignal);
  });
  return {
    asked,
    graceMs,
    requestsMs: () => Math.max(leastRequestsMs, limitMs - closeMs - (performance.now() - (askedAt ?? 0))),
  };
}

/** The same for a command that ends early by a signal of its own. @param reason what it ends with */
export function abortOnSignals(log: Logger, reason?: Error): AbortSignal {
  const stopping = new AbortController();
  void stopOnSignals(log).asked.then(() => stopping.abort(reason));
  return stopping.signal;
}
