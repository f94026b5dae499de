import { randomUUID } from "node:crypto";
import pg from "pg";
import pino from "pino";
import { inject } from "vitest";
import { connectStore, type Store } from "../service/store/store.ts";

/** A database of one's own, and how to get rid of it. */
export interface FreshStore {
  readonly store: Store;
  /** The address, for a child process: give it as DATABASE_URL. */
  readonly url: string;
  /** Another store on the same database, as a second process would have; close it yourself. */
  another(): Promise<Store>;
  /** Closes the store and removes the database. */
  drop(): Promise<void>;
}

/** Makes an empty migrated database on this run's PostgreSQL (some 50 ms); needs the `service` project of vitest. */
export async function freshStore(): Promise<FreshStore> {
  const { template, ...server } = inject("testServer");
  const database = `test_${randomUUID().replaceAll("-", "")}`;
  await admin(server, `create database ${database} template ${template} strategy file_copy`);
  const log = pino({ level: "silent" });
  const another = () => connectStore({ ...server, password: "", database }, { log });
  const store = await another();
  return {
    store,
    another,
    url: urlOf(server, database),
    async drop() {
      await store.close();
      await admin(server, `drop database ${database} with (force)`);
    },
  };
}

/** A database in which nothing is yet. */
export interface EmptyDatabase {
  readonly url: string;
  /** Opens it as a service does, which makes the schema where there is none. Close it before `drop`. */
  open(): Promise<Store>;
  drop(): Promise<void>;
}

/** Makes a database without anything on this run's PostgreSQL. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const { template: _, ...server } = inject("testServer");
  const database = `empty_${randomUUID().replaceAll("-", "")}`;
  await admin(server, `create database ${database} strategy file_copy`);
  return {
    url: urlOf(server, database),
    open: () => connectStore({ ...server, password: "", database }, { log: pino({ level: "silent" }) }),
    drop: () => admin(server, `drop database ${database} with (force)`),
  };
}

const urlOf = ({ user, host }: { readonly user: string; readonly host: string }, database: string) =>
  `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}`;

async function admin(server: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client({ ...server, password: "", database: "postgres" });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
