import { recordCommand } from "../audit/record.ts";
import type { Config } from "../config.ts";
import { endPause } from "../store/pause.ts";
import type { OpenedLog } from "./log.ts";
import { openInstallation } from "./open-installation.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `wheelhouse resume`, beside a running service or without one: what was restored may go on.
 * @returns the exit code
 */
export async function resume(config: Config, { log }: OpenedLog, { print }: Terminal): Promise<number> {
  const store = await openInstallation(config, { log });
  try {
    const wasPaused = await store.db.transaction().execute(async (tx) => {
      const done = await endPause(tx);
      if (done)
        await recordCommand(tx, { action: "work.resume", object: { kind: "installation", id: null } });
      return done;
    });
    print(
      wasPaused
        ? "Work goes on: services that run notice within seconds."
        : "It was not paused: nothing changed.",
    );
    return 0;
  } finally {
    await store.close();
  }
}
