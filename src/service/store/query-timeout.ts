import pg from "pg";

/** How long anybody waits for the answer to a query, in milliseconds; far more than any of ours takes. */
export const queryTimeoutMs = 30_000;

/** How long the other side has to close a connection that we close, in milliseconds. */
const closeTimeoutMs = 1_000;

/** The error that pg has, without a code, for an answer that did not come in time. */
export const queryTimeoutMessage = "Query read timeout";

/**
 * Closes a connection once an answer on it did not come in time: whoever used it next would wait behind the same query.
 * For those that a pool lends out; its own `query` does the same.
 */
export function closeOnTimeout(client: pg.PoolClient): void {
  interceptQueries(client, (answer) => {
    answer.catch((error: unknown) => {
      const late = error instanceof Error && error.message === queryTimeoutMessage;
      if (late && client instanceof pg.Client) void closeClient(client);
    });
    return answer;
  });
}

/** How much later the database gives up a statement than who asked for it, who is to hear first, in milliseconds. */
const giveUpLaterMs = 1_000;

/**
 * The options of a pool for how long answers are waited for, in milliseconds, after which the database ends what nobody waits
 * for any more: it does not look whether a connection is still there while it works. Said by a statement, as poolers refuse
 * parameters at the start of a connection that they do not know; before the connection is lent, as a client takes one
 * statement at a time.
 */
export const answersWithin = (ms: number) => ({
  query_timeout: ms,
  onConnect: async (client: pg.ClientBase): Promise<void> => {
    await client.query(`set statement_timeout = ${ms + giveUpLaterMs}`);
  },
});

/** Closes a connection; where the other side does not hear of it, it is cut. */
export async function closeClient(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => client.connection.stream.destroy(), closeTimeoutMs);
  await client.end().catch(() => undefined);
  clearTimeout(cut);
}

/** Puts something between a connection and those who ask on it by promises. @param watch gives the answer that they get */
export function interceptQueries(
  client: pg.PoolClient,
  watch: (answer: Promise<unknown>, statement: unknown) => Promise<unknown>,
): void {
  const query: (...given: unknown[]) => unknown = client.query.bind(client);
  const watched = (...given: unknown[]): unknown => {
    const answer = query(...given);
    return answer instanceof Promise ? watch(answer, given[0]) : answer;
  };
  // pg's overloads cannot be written down for a function that passes everything on.
  client.query = watched as typeof client.query;
}
