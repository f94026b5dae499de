import type pg from "pg";

/** Who waits for a table while a transaction holds it. */
export type Waiting = "reads and writes" | "writes";

export interface HeldLock {
  readonly table: string;
  readonly waiting: Waiting;
}

/** What keeps at least writers out. Source: PostgreSQL, "Explicit locking", table-level locks. */
const modes: Readonly<Record<string, Waiting>> = {
  ShareLock: "writes",
  ShareRowExclusiveLock: "writes",
  ExclusiveLock: "writes",
  AccessExclusiveLock: "reads and writes",
};

/**
 * Looks at which tables this connection's transaction keeps from others.
 * @param client in the transaction, before its first change: tables that it makes keep nobody waiting
 * @returns a function that says which locks are new, or stronger, since it was last called
 */
export async function watchLocks(client: pg.ClientBase): Promise<() => Promise<readonly HeldLock[]>> {
  const { rows: before } = await client.query<{ oid: string }>(
    `select oid::text as oid from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> 'migrations'`,
  );
  const known = before.map(({ oid }) => oid);
  const seen = new Map<string, Waiting>();
  return async () => {
    const { rows } = await client.query<{ table: string; mode: string }>(
      `select relname as table, mode from pg_locks join pg_class on pg_class.oid = relation
        where pid = pg_backend_pid() and locktype = 'relation' and granted and mode = any($1) and relation = any($2::oid[])
        order by relname, mode = 'AccessExclusiveLock' desc`,
      [Object.keys(modes), known],
    );
    const found: HeldLock[] = [];
    for (const { table, mode } of rows) {
      const waiting = modes[mode] ?? "reads and writes";
      const earlier = seen.get(table);
      if (earlier === waiting || earlier === "reads and writes") continue;
      seen.set(table, waiting);
      found.push({ table, waiting });
    }
    return found;
  };
}
