import { Logger as WorkerLogger } from "graphile-worker";
import type { Logger } from "pino";

/** Gives Graphile Worker's log to ours. Its `info` is one line for each job: debug to us. */
export function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === "error") log.warn({ from: "worker" }, message);
    else log.debug({ from: "worker" }, message);
  });
}
