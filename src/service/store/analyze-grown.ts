import type pg from "pg";
import type { Context } from "../context.ts";
import { createRecurring, type Recurring } from "../recurring.ts";
import type { Store } from "./store.ts";

/** As many times as many rows as when its plans were made: other plans are right for it now. */
const grownBy = 4;
/** Rows that are read whole about as fast as an index is looked into. */
const fewRows = 250;
const everyMs = 2_000;
/** How long one is waited for, and all rest where one could not be analyzed, in milliseconds. */
const longestMs = 5_000;
const restMs = 10_000;

/**
 * Analyzes the tables that have grown fourfold since they last were. Whoever has a plan for one of them makes it anew then:
 * prepared statements, functions and foreign keys keep theirs, and one that was made while a table was small reads all of it.
 * PostgreSQL itself looks once a minute, in which a new installation may get its first ten thousand rows. A table that has
 * many never grows so much between two of its looks. Waits for nobody who has locked a table.
 * @returns the names of the tables
 * @throws what the first that could not be analyzed has thrown, after the others
 */
export async function analyzeGrown(store: Pick<Store, "query">, signal?: AbortSignal): Promise<string[]> {
  const grown = await store.query<{ name: string }>({
    text: `
      select format('%I.%I', nspname, relname) as name
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind = 'r' and nspname in (current_schema(), 'graphile_worker') and pg_has_role(relowner, 'usage')
         -- As it is counted: to ask for the size of a table that somebody has locked would wait for them.
         and pg_stat_get_live_tuples(pg_class.oid) > ${grownBy} * greatest(reltuples, ${fewRows})`,
  });
  const errors: unknown[] = [];
  for (const { name } of grown) {
    if (signal?.aborted === true) break;
    // Somebody else may be at it. Where it takes long PostgreSQL goes on alone.
    const analyze: pg.QueryConfig & pg.ClientConfig = {
      text: `set local statement_timeout = 0; analyze (skip_locked) ${name}`,
      query_timeout: longestMs,
    };
    await store.query(analyze).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
  return grown.map(({ name }) => name);
}

/** The same every two seconds until it is stopped, in any number of processes; at most half of the time, and seldom where it is no use. */
export function createAnalyzer({ store, log }: Pick<Context, "store" | "log">): Recurring {
  let restsUntil = 0;
  /** What was to be analyzed the last time: somebody is at what is named again. */
  let last: readonly string[] = [];
  const look = async (signal: AbortSignal) => {
    const begun = performance.now();
    if (begun < restsUntil) return;
    let isNoUse = true;
    try {
      const names = await analyzeGrown(store, signal);
      isNoUse = names.some((name) => last.includes(name));
      last = names;
    } finally {
      const over = performance.now();
      restsUntil = over + (isNoUse ? restMs : over - begun);
    }
  };
  return createRecurring(look, everyMs, (err) =>
    log.warn({ err }, "tables that have grown could not be analyzed"),
  );
}
