import { hasDatabase } from "../backup/database.ts";
import type { Config } from "../config.ts";
import { openStore, type Store } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import type { OpenedLog } from "./log.ts";
import { storeOptions } from "./start.ts";

/**
 * Opens the database of an installation that is there, for what only makes sense with one.
 * @throws StoreError, rather than making a database in which nothing ever was
 */
export async function openInstallation(config: Config, { log }: Pick<OpenedLog, "log">): Promise<Store> {
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl === null && !hasDatabase(dataDirectory))
    throw new StoreError("unusable_place", `There is no database in ${dataDirectory}: look at --data.`);
  return await openStore({ ...storeOptions(config), log });
}
