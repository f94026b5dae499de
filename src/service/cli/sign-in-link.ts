import { ServiceError } from "../service-error.ts";
import type { OpenedLog } from "./log.ts";
import { openInstallation } from "./open-installation.ts";
import type { Command } from "./parse-command.ts";
import { printSignIn, type Terminal } from "./terminal.ts";

/**
 * `wheelhouse sign-in-link --person ID`, beside a running service or without one.
 * @returns the exit code; 1 for a person that is not there
 */
export async function signInLink(
  { config, person }: Extract<Command, { type: "sign-in-link" }>,
  { log }: OpenedLog,
  terminal: Terminal,
): Promise<number> {
  const store = await openInstallation(config, { log });
  try {
    await printSignIn(store, person, config.publicUrl ?? `http://localhost:${config.port}`, terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    terminal.complain(`--person: ${error.message}`);
    return 1;
  } finally {
    await store.close();
  }
}
