import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { makeDataDirectory } from "../../data-directory.ts";
import { lockKeys } from "../lock-keys.ts";
import { codeOf, StoreError, sentenceOf } from "../store-error.ts";
import { databaseAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { type ClusterPlace, choosePlace, copiesFolder, defaultSystemFolder } from "./place.ts";
import { connectionTo, reachServer, stopServer } from "./server.ts";
import { withStartLock } from "./start-lock.ts";

/** A PostgreSQL of our own, shared by all processes that name the same data directory. */
export interface Embedded {
  /** How to connect to it. */
  readonly connection: pg.ClientConfig;
  /** Leaves it; the last one to leave stops it. */
  release(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** Settings of the server beyond our own, as `name=value`. */
  readonly settings?: readonly string[];
  /** Where root keeps a database that its account could not reach below `dataDirectory`. */
  readonly systemFolder?: string;
}

/**
 * Starts the embedded PostgreSQL below `<dataDirectory>/postgres`, or adopts the one that runs there. It outlives a
 * killed process; should it die itself, it is started again.
 * @throws StoreError
 */
export async function startEmbedded({
  dataDirectory,
  log,
  settings = [],
  systemFolder = defaultSystemFolder,
}: EmbeddedOptions): Promise<Embedded> {
  const wanted = await usableFolder(dataDirectory);
  const account = await databaseAccount();
  const binaries = await findBinaries(account, copiesFolder(wanted, systemFolder, account));

  const enter = () =>
    withStartLock(join(wanted, "start.lock"), async () => {
      const place = await choosePlace(wanted, systemFolder, account, log);
      await ensureCluster(place, binaries, account);
      for (;;) {
        const client = await reachServer(place, binaries, account, settings);
        if (await becomeUser(client)) return { place, client };
        // Its last user is just stopping it.
        await client.end().catch(() => undefined);
        await delay(20);
      }
    });

  let { place, client } = await enter();
  let closing = false;
  const rejoin = async () => {
    while (!closing) {
      try {
        const next = await enter();
        client = next.client;
        client.once("end", lost);
        return;
      } catch (error) {
        log.warn({ reason: sentenceOf(error) }, "the database is away, trying again");
        await delay(500);
      }
    }
  };
  let rejoining = Promise.resolve();
  const lost = () => {
    if (!closing) rejoining = rejoin();
  };
  client.once("end", lost);

  return {
    connection: connectionTo(place),
    async release() {
      if (closing) return;
      closing = true;
      await rejoining;
      await leave(place, client);
    },
  };
}

async function becomeUser(client: pg.Client): Promise<boolean> {
  try {
    const { rows } = await client.query("select pg_try_advisory_lock_shared($1) as ok", [lockKeys.users]);
    return rows[0]?.ok === true;
  } catch {
    return false;
  }
}

async function leave(place: ClusterPlace, client: pg.Client): Promise<void> {
  try {
    await client.query("select pg_advisory_unlock_shared($1)", [lockKeys.users]);
    const { rows } = await client.query("select pg_try_advisory_lock($1) as last", [lockKeys.users]);
    if (rows[0]?.last === true) await stopServer(place);
  } catch {
    // It is gone already.
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Makes the database's folder and returns its path without symbolic links, which all processes agree on. */
async function usableFolder(dataDirectory: string): Promise<string> {
  const path = join(dataDirectory, "postgres");
  try {
    makeDataDirectory(dataDirectory);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return await realpath(path);
  } catch (error) {
    throw new StoreError(
      "unusable_place",
      `The data directory ${path} cannot be used (${codeOf(error) ?? sentenceOf(error)}): make it writable, or name another with --data.`,
      error,
    );
  }
}
