import { ServiceError } from "../service-error.ts";

/** How long a request may take before the database is asked whether it still answers, and again each time. In milliseconds. */
const checkIntervalMs = 1_000;

/**
 * Lets work for a request go on for as long as the database answers; a slow query is none that hangs.
 * @throws ServiceError `unavailable` (503) once it says nothing, whatever becomes of the work then
 */
export type Watchdog = <T>(work: () => Promise<T>) => Promise<T>;

/** @param databaseAnswers says so within a few seconds, to many at once */
export function createWatchdog(databaseAnswers: () => Promise<boolean>): Watchdog {
  return async (work) => {
    let timer: NodeJS.Timeout | undefined;
    let over = false;
    const silent = new Promise<never>((_, reject) => {
      const look = async () => {
        const answers = await databaseAnswers();
        if (over) return;
        if (answers) timer = setTimeout(look, checkIntervalMs);
        else reject(new ServiceError("unavailable", { cause: new Error("the database says nothing") }));
      };
      timer = setTimeout(look, checkIntervalMs);
    });
    try {
      return await Promise.race([work(), silent]);
    } finally {
      over = true;
      clearTimeout(timer);
    }
  };
}
