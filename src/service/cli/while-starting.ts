import type { Config } from "../config.ts";
import { isDatabaseUnavailable, StoreError, sentenceOf } from "../store/store-error.ts";

/**
 * Does what a start does with a database that has answered once already.
 * @throws StoreError that names the database, where it answers no more: it may have no connection left
 */
export async function whileStarting<T>(
  { databaseUrl }: Pick<Config, "databaseUrl">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError || !isDatabaseUnavailable(error)) throw error;
    const which = databaseUrl === null ? "The embedded database" : "DATABASE_URL: the database";
    throw new StoreError(
      "unreachable",
      `${which} stopped answering during the start: ${sentenceOf(error)}`,
      error,
    );
  }
}
