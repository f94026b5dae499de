import type { Config } from "../config.ts";
import { openStore } from "../store/store.ts";
import type { OpenedLog } from "./log.ts";

/** What a command writes to and answers with. */
export interface Terminal {
  /** One line for a person. */
  print(line: string): void;
  /** One line that says why the command ends without success. */
  complain(line: string): void;
}

/**
 * `wheelhouse start`. The database comes up while the rest of the service is still being read.
 * @returns the exit code, after the process was told to stop
 */
export async function start(config: Config, opened: OpenedLog, terminal: Terminal): Promise<number> {
  const opening = openStore({ ...storeOptions(config), log: opened.log });
  // Whoever awaits it hears of a failure; until then it is not a forgotten promise.
  opening.catch(() => {});
  const { serve } = await import("./serve.ts");
  return await serve(config, opening, opened, terminal);
}

/** How the store is opened for this configuration. */
export function storeOptions(config: Config) {
  return { databaseUrl: config.databaseUrl ?? undefined, dataDirectory: config.dataDirectory };
}
