import { recordCommand } from "../audit/record.ts";
import type { Config } from "../config.ts";
import { FilesError } from "../files/files-error.ts";
import { createFolderMark, databaseName } from "../files/folder-mark.ts";
import { openFiles, placeText, preparePlace } from "../files/open-files.ts";
import type { OpenedLog } from "./log.ts";
import { openInstallation } from "./open-installation.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `wheelhouse files adopt`, beside a running service or without one: the place of files is this database's own from now on.
 * @returns the exit code
 */
export async function filesAdopt(
  config: Config,
  { log }: OpenedLog,
  { print, complain }: Terminal,
): Promise<number> {
  const store = await openInstallation(config, { log });
  try {
    const files = openFiles(config);
    // Before the entry: what cannot be done must not be told.
    await preparePlace(config.filesAt, "--files", async () => {});
    const name = await databaseName(store, config);
    // First: what is adopted without an entry would be worse than an entry of what then failed.
    await recordCommand(store.db, {
      action: "files.adopt",
      object: { kind: "installation", id: null, name: placeText(config.filesAt) },
    });
    await createFolderMark({ store, files, log, name }).adopt();
    print(`The files in ${placeText(config.filesAt)} belong to this database now.`);
    return 0;
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    complain(error.message);
    return 1;
  } finally {
    await store.close();
  }
}
