import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { askInstance } from "../http/health.ts";
import type { ListenError } from "../http/server.ts";
import { openStore } from "../store/store.ts";
import { readWorkspace } from "../workspace/read-workspace.ts";
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

/**
 * Which process listens on a TCP port, as far as Linux' /proc tells this user.
 * @returns for example `process 4711 (node)`; null where it cannot be known
 */
function portOwner(port: number): string | null {
  try {
    const inodes = listeningInodes(port);
    if (inodes.size === 0) return null;
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      if (holdsSocket(pid, inodes))
        return `process ${pid} (${readFileSync(`/proc/${pid}/comm`, "utf8").trim()})`;
    }
  } catch {
    // No /proc here.
  }
  return null;
}

function listeningInodes(port: number): Set<string> {
  const inodes = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of linesOf(table)) {
      // sl local_address rem_address st … inode; addresses are hex, state 0A is LISTEN.
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state === "0A" && Number.parseInt(local.split(":")[1] ?? "", 16) === port)
        inodes.add(`socket:[${inode}]`);
    }
  }
  return inodes;
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

function holdsSocket(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return inodes.has(readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}
