import type { RunSource } from "../run-row.ts";

/** Where a run is known from, for a cell. */
export const sourceWords: Record<RunSource, string> = {
  service: "the service",
  "started-here": "started here",
  opened: "opened here",
  added: "added by id",
  imported: "imported",
  "seen-in-artifacts": "an artifact",
};
