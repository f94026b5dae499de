import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * Which process listens on a TCP port, as far as Linux' /proc tells this user.
 * @returns for example `process 4711 (node)`; null where it cannot be known
 */
export function portOwner(port: number): string | null {
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
