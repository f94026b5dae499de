import { eventLoopTurn } from "../event-loop-turn.ts";
import { type JsonValue, roughBytes } from "../json.ts";
import { batched } from "./batch.ts";
import { isDatabaseUnavailable } from "./store-error.ts";

/** Written by one statement at most: each holds its locks until all of them are there. */
const mostTogether = 50;
/** So much JSON goes in one statement, in bytes, unless one alone is more: it is made into one text in one go. */
const mostBytes = 1_000_000;
/** Statements at a time: more of them would have less in each, and together take longer. */
const inFlight = 2;

/**
 * Writes many at once: what comes while a statement is under way goes with the next one. What is another tenant's does not wait
 * for that, unless two are under way. Each gets its own outcome: where a statement for several fails they are
 * written one by one, so that a bad one takes no other with it. Where the database is away all of them fail: what came of them
 * nobody knows.
 * @param write one statement for all of them, which holds or fails as a whole
 * @param of `tenantOf`: whose it is; `valuesOf`: what of it goes into the statement as JSON
 * @returns what `write` gave for this one, once that is committed
 */
export function grouped<W, R>(
  write: (all: readonly W[]) => Promise<ReadonlyMap<W, R>>,
  { tenantOf, valuesOf }: { tenantOf(one: W): string; valuesOf(one: W): JsonValue },
): (one: W) => Promise<R | undefined> {
  interface Entry {
    readonly one: W;
    /** Of its JSON, no more than just beyond what is large. */
    readonly bytes: number;
  }
  type Outcome = () => R | undefined;

  const together = async (entries: readonly Entry[]) => {
    if (entries.some(({ bytes }) => bytes > mostBytes)) await eventLoopTurn();
    const results = await write(entries.map(({ one }) => one));
    return new Map<Entry, Outcome>(entries.map((entry) => [entry, () => results.get(entry.one)]));
  };
  const oneByOne = async (entries: readonly Entry[]) => {
    const outcomes = new Map<Entry, Outcome>();
    for (const entry of entries) {
      try {
        const result = (await write([entry.one])).get(entry.one);
        outcomes.set(entry, () => result);
      } catch (error) {
        outcomes.set(entry, () => {
          throw error;
        });
      }
    }
    return outcomes;
  };
  const outcomeOf = batched(
    async (entries: readonly Entry[]) => {
      try {
        return await together(entries);
      } catch (error) {
        if (entries.length === 1 || isDatabaseUnavailable(error)) throw error;
        return oneByOne(entries);
      }
    },
    {
      ...{ maxBatchSize: mostTogether, inFlight, tenantOf: ({ one }) => tenantOf(one) },
      ...{ maxWeight: mostBytes, weightOf: ({ bytes }) => bytes },
    },
  );
  return async (one) => {
    const bytes = roughBytes(valuesOf(one), mostBytes);
    return (await outcomeOf({ one, bytes }))?.();
  };
}
