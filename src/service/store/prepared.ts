import { createHash } from "node:crypto";
import {
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type RawBuilder,
  sql,
} from "kysely";
import type pg from "pg";
import { isStalePlan } from "./store-error.ts";

/** Texts that get a name in one process; each costs every connection some kilobytes. Further ones stay without. */
const maxNames = 300;

/**
 * What is planned anew each time: a list that may be of one person or of everybody is found in another way for each, and a
 * list of values has another text for each length.
 */
const neverPrepared = /\blimit\b|\bin \(\$\d/i;

/** Within a text: it has a limit and is yet found in one way, whoever asks, as what an index has in order. */
export const onePlan = sql.raw("/* one plan */");
/**
 * A value that a plan is not made for. Where it knows the values PostgreSQL takes a plan for all to be dearer than one for
 * these, and plans anew each time, which takes longer than to find the rows.
 */
export const unplanned = <T>(value: RawBuilder<T>) => sql<T>`(select ${value})`;
/** For a comparison with `=` to any of the values: one text however many there are, where `in` has one for each number. */
export const anyIn = (values: readonly string[]) => sql<string>`any(${values}::text[])`;

const hasOnePlan = (text: string) => text.includes("/* one plan */");

/** What else never comes twice as it is, or is no matter for a plan. */
const plannable = /^\s*(?:select|insert|update|delete|with)\b/i;

/**
 * Lends out the connections of a pool such that what is asked again and again is prepared: a text gets a name when it comes
 * for the second time, and each connection parses and plans it once. After a migration by another process a prepared
 * statement may be refused because its columns have changed: outside of a transaction it is asked again without its
 * name; inside, the transaction fails as if the database were away, and each further one on this connection goes through.
 * @param lifetime for how many milliseconds a connection that is opened now is lent; whoever has it then keeps it to the end
 */
export function preparing(pool: pg.Pool, lifetime: () => number, limit = maxNames): PostgresPool {
  const seen = new Set<string>();
  const names = new Map<string, string>();
  const lent = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  const nameOf = (text: string): string | undefined => {
    const name = names.get(text);
    if (name !== undefined || names.size >= limit) return name;
    if (!plannable.test(text) || (neverPrepared.test(text) && !hasOnePlan(text))) return undefined;
    if (!seen.delete(text)) {
      // Of those that came once only the newest are remembered.
      if (seen.size >= limit) seen.clear();
      seen.add(text);
      return undefined;
    }
    const made = createHash("sha256").update(text).digest("hex").slice(0, 32);
    names.set(text, made);
    return made;
  };

  const lend = (client: pg.PoolClient): PostgresPoolClient => {
    const stale = new Set<string>();
    const end = performance.now() + lifetime();
    const query = async (text: string, values: readonly unknown[]) => {
      const name = nameOf(text);
      if (name === undefined || stale.has(name)) return client.query(text, [...values]);
      try {
        return await client.query({ name, text, values: [...values] });
      } catch (error) {
        if (!isStalePlan(error)) throw error;
        stale.add(name);
        if (client.getTransactionStatus() !== "I") throw error;
        return client.query(text, [...values]);
      }
    };
    return {
      // Kysely's own overload for cursors is not used: nothing here streams.
      query: query as <R>(text: unknown, values?: unknown) => Promise<PostgresQueryResult<R>> & never,
      release: () => client.release(performance.now() >= end),
    };
  };

  return {
    async connect() {
      const client = await pool.connect();
      const known = lent.get(client) ?? lend(client);
      lent.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}
