import type { Kysely } from "kysely";
import { BoundedMap } from "../store/bounded-map.ts";
import { anyIn } from "../store/prepared.ts";
import type { Database } from "../store/schema.ts";
import { inOrder } from "./newest.ts";
import { cutInputs, type RunRow, selectRuns } from "./run-rows.ts";

/**
 * The runs with these ids, as lists show them, in that order; what is gone is left out. The ids come from a query that
 * began after the list was asked for: what a list shows of a run that has ended never changes, so such a row is read once.
 */
export type ListedRuns = (db: Kysely<Database>, ids: readonly string[]) => Promise<readonly RunRow[]>;

const maxRows = 5_000;
/** Of a row's inputs as JSON, in characters: those with more are read again each time. */
const maxInputsLength = 2_000;

/** One for each process: remembers the rows of runs that have ended, as lists show them. */
export function createListedRuns(): ListedRuns {
  const ended = new BoundedMap<RunRow>(maxRows);
  return async (db, ids) => {
    const known = ids.flatMap((id) => ended.get(id) ?? []);
    if (known.length === ids.length) return known;
    const others = ids.filter((id) => ended.get(id) === undefined);
    const found = await selectRuns(db, cutInputs).where("executions.id", "=", anyIn(others)).execute();
    for (const row of found) if (isOver(row) && isSmall(row)) ended.set(row.id, row);
    return inOrder(ids, [...known, ...found]);
  };
}

const isOver = ({ finished_at }: RunRow) => finished_at !== null;
const isSmall = ({ inputs }: RunRow) => JSON.stringify(inputs).length <= maxInputsLength;
