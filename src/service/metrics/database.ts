import type pg from "pg";
import { Gauge, Histogram, type Registry } from "prom-client";

/** Counts the statements of a pool from here on, and its connections. @param buckets up to these many seconds */
export function meterDatabase(pool: pg.Pool, registry: Registry, buckets: number[]): void {
  const statements = new Histogram({
    ...{
      name: "wheelhouse_database_statement_seconds",
      registers: [registry],
      labelNames: ["outcome"],
      buckets,
    },
    help: "Time until the database answered a statement of this process: `ok` or `failed`",
  });
  new Gauge({
    ...{ name: "wheelhouse_database_connections", registers: [registry], labelNames: ["state"] },
    help: "Connections of this process: `used` and `idle`, of at most `most`; and who waits for one",
    collect() {
      this.set({ state: "used" }, pool.totalCount - pool.idleCount);
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "awaited" }, pool.waitingCount);
      this.set({ state: "most" }, pool.options.max);
    },
  });
  const known = new WeakSet<pg.PoolClient>();
  // Also those that were there before: each is known when it is next taken.
  pool.on("acquire", (client) => {
    if (known.has(client)) return;
    known.add(client);
    meterConnection(client, (failed, seconds) =>
      statements.observe({ outcome: failed ? "failed" : "ok" }, seconds),
    );
  });
}

/** Asked by promises, or by a function that is called with the answer, as the pool's own `query` does. */
function meterConnection(client: pg.PoolClient, tell: (failed: boolean, seconds: number) => void): void {
  const query: (...given: unknown[]) => unknown = client.query.bind(client);
  const metered = (...given: unknown[]): unknown => {
    const begun = performance.now();
    const over = (failed: boolean) => tell(failed, (performance.now() - begun) / 1_000);
    const last = given.at(-1);
    if (typeof last === "function") {
      const answered = (error: unknown, ...rest: unknown[]) => {
        over(error !== undefined && error !== null);
        last(error, ...rest);
      };
      return query(...given.slice(0, -1), answered);
    }
    const answer = query(...given);
    if (answer instanceof Promise)
      answer.then(
        () => over(false),
        () => over(true),
      );
    return answer;
  };
  // pg's overloads cannot be written down for a function that passes everything on.
  client.query = metered as typeof client.query;
}
