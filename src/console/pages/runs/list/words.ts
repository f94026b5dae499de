import type { RunSource } from "../../../components/run/known-run.ts";

/** Where a run is known from, for a cell. */
export const sourceWords: Record<RunSource, string> = {
  service: "the service",
  here: "started here",
  opened: "opened here",
  imported: "imported",
};
