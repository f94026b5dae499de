import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreError } from "../store-error.ts";

/** The system account that PostgreSQL runs as when we are root, because it refuses to run as root. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * @returns null when we are an ordinary user (PostgreSQL runs as that one); as root `postgres` if there is one, else `nobody`
 * @throws StoreError `unusable_place` as root on a system with neither
 */
export async function databaseAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = new Map<string, Account>();
  for (const line of (await readFile("/etc/passwd", "utf8")).split("\n")) {
    const [name = "", , uid, gid] = line.split(":");
    accounts.set(name, { name, uid: Number(uid), gid: Number(gid) });
  }
  const account = accounts.get("postgres") ?? accounts.get("nobody");
  if (account === undefined) {
    throw new StoreError(
      "unusable_place",
      "PostgreSQL does not run as root, and this system has neither a user postgres nor nobody: start as an ordinary user or set DATABASE_URL.",
    );
  }
  return account;
}

/** Whether that account (null: we ourselves) may read the folder or file and enter every folder above it. */
export async function canReach(path: string, account: Account | null): Promise<boolean> {
  if (account === null) {
    return access(path, constants.R_OK).then(
      () => true,
      () => false,
    );
  }
  const found = await stat(path).catch(() => null);
  if (found === null) return false;
  const needed = found.isDirectory() ? 0o5 : 0o4;
  if ((permissions(found, account) & needed) !== needed) return false;
  return canEnter(dirname(path), account);
}

/** Whether that account may pass through the folder and every one above it. */
export async function canEnter(folder: string, account: Account): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    const found = await stat(path).catch(() => null);
    if (found === null || (permissions(found, account) & 0o1) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function permissions(found: { mode: number; uid: number; gid: number }, account: Account): number {
  if (found.uid === account.uid) return (found.mode >> 6) & 0o7;
  if (found.gid === account.gid) return (found.mode >> 3) & 0o7;
  return found.mode & 0o7;
}
