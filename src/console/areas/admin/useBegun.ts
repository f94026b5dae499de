import { useState } from "react";
import { ConsoleError } from "../../api/errors.ts";

/** Whether a change was refused since somebody else was first. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ConsoleError && error.code === "version_conflict";

/**
 * What a form begins with, of a record that others may change meanwhile: what was changed here is what differs from it.
 * @param fresh the record as it is now
 */
export function useBegun<V extends object>(fresh: V, version: number | null) {
  const [begun] = useState({ base: fresh, version });
  const [isTold, setTold] = useState(false);
  return {
    base: begun.base,
    /**
     * The version that a change is sent with: what others made of the rest stays. What they made of the same is no matter
     * only once the person has been told.
     */
    versionFor(change: Partial<V>): number | null {
      for (const name in change) {
        const isOurs = fresh[name] === begun.base[name] || fresh[name] === change[name];
        if (!isOurs && !isTold) return begun.version;
      }
      return version;
    },
    /** A save failed. */
    failed: (error: unknown) => isOutdated(error) && setTold(true),
  };
}
