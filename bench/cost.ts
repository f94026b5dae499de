import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "../src/service/store/store.ts";

/** Of a kernel's clock tick, on every Linux that Node runs on. */
const tickMs = 10;
/** How long a connection of PostgreSQL may sit idle before what it counted is seen, with something to spare. */
const statisticsMs = 11_000;

/** What has been spent so far; differences say what something cost. */
export interface Spent {
  /** Processor time of the service's process, in milliseconds. */
  readonly nodeMs: number;
  /** Processor time of all processes of its PostgreSQL, in milliseconds. */
  readonly databaseMs: number;
}

/** Processor time by `/proc`: Linux only. @param pid of the service's process */
export async function spentUntilNow(store: Store, pid: number): Promise<Spent> {
  const { rows } = await store.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const server = statOf(rows[0]?.pid ?? 0).parent;
  let databaseMs = statOf(server).withEndedChildren;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = statOf(Number(name));
      if (stat.parent === server) databaseMs += stat.own;
    } catch {
      // It has ended meanwhile.
    }
  }
  return { nodeMs: statOf(pid).own, databaseMs };
}

function statOf(pid: number): { parent: number; own: number; withEndedChildren: number } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const at = (index: number) => Number(fields[index] ?? 0);
  const own = (at(11) + at(12)) * tickMs;
  return { parent: at(1), own, withEndedChildren: own + (at(13) + at(14)) * tickMs };
}

/** Transactions that were committed in this database, reads as well, once all connections have told. */
export async function commitsUntilNow(store: Store): Promise<number> {
  await delay(statisticsMs);
  const { rows } = await store.pool.query<{ n: string }>(
    "select xact_commit as n from pg_stat_database where datname = current_database()",
  );
  return Number(rows[0]?.n);
}

/** Of all tables with their indexes and what lies beside them, in bytes. */
export interface Bytes {
  /** What the search of the whole history keeps of its own. */
  readonly search: number;
  /** The audit log, which is kept for as long as it says itself. */
  readonly audit: number;
  readonly others: number;
}

/** Without what a vacuum gives back. */
export async function bytesUntilNow(store: Store): Promise<Bytes> {
  await store.pool.query("vacuum");
  const { rows } = await store.pool.query<{ [part in keyof Bytes]: string }>(
    `select coalesce(sum(bytes) filter (where relname ~ '^search_'), 0) as search,
            coalesce(sum(bytes) filter (where relname ~ '^audit_'), 0) as audit,
            coalesce(sum(bytes) filter (where relname !~ '^(search|audit)_'), 0) as others
       from (select relname, pg_total_relation_size(pg_class.oid) as bytes from pg_class
               join pg_namespace on pg_namespace.oid = relnamespace
              where relkind = 'r' and nspname in ('public', 'graphile_worker')) one`,
  );
  const [row = { search: "0", audit: "0", others: "0" }] = rows;
  return { search: Number(row.search), audit: Number(row.audit), others: Number(row.others) };
}

/** Makes the database count statements, from its next start on. */
export async function countStatements(store: Store): Promise<void> {
  await store.pool.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
}

/** Statements so far, those of this question's own connection as well; `countStatements` came before the last start. */
export async function statementsUntilNow(store: Store): Promise<number> {
  await store.pool.query("create extension if not exists pg_stat_statements");
  const { rows } = await store.pool.query<{ n: string }>(
    "select sum(calls) as n from pg_stat_statements where query !~* '^(begin|commit)$'",
  );
  return Number(rows[0]?.n);
}
