import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { askInstance } from "../http/health.ts";
import type { ListenError } from "../http/server.ts";
import { openStore } from "../store/store.ts";
import { readWorkspace } from "../workspace/read-workspace.ts";
import { portOwner } from "./port-owner.ts";
import { storeOptions } from "./start.ts";
import { offerSignIn, type Terminal } from "./terminal.ts";

/**
 * A start whose port cannot be had: on the same data it says where the first one runs and makes a new link; otherwise
 * it names who has the port.
 * @param instance of this configuration
 * @returns the exit code
 */
export async function portTaken(
  config: Config,
  instance: string,
  error: ListenError,
  log: Logger,
  terminal: Terminal,
): Promise<number> {
  const { host, port } = config;
  if (!error.inUse) {
    terminal.complain(`Cannot listen on ${host} port ${port}: ${error.message}. Look at --host and --port.`);
    return 1;
  }
  const other = await askInstance(host, port);
  if (other !== instance) {
    const owner = portOwner(port) ?? (other === null ? "another process" : "another Wheelhouse");
    terminal.complain(`Port ${port} is taken by ${owner}: stop it, or choose another with --port.`);
    return 1;
  }
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  terminal.print(`Wheelhouse is already running at ${publicUrl}`);
  const { workspace } = await readWorkspace(config.workspaceDirectory);
  const person = workspace?.settings.people[0]?.id;
  if (person === undefined) return 0;
  const store = await openStore({ ...storeOptions(config), log });
  try {
    await offerSignIn(store, person, publicUrl, terminal);
  } finally {
    await store.close();
  }
  return 0;
}
