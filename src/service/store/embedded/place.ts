import { createHash } from "node:crypto";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Logger } from "pino";
import { codeOf, StoreError } from "../store-error.ts";
import { type Account, canEnter } from "./account.ts";

/** Where root keeps what the database's account must reach when the wanted folder is closed to it. */
export const defaultSystemFolder = "/var/lib/wheelhouse";
/** A unix socket's whole path must fit into 107 bytes; macOS allows 103. */
const maxSocketPath = 103;
const socketName = ".s.PGSQL.5432";

/** Where one database lives. */
export interface ClusterPlace {
  /** The cluster itself; made by initdb. */
  readonly data: string;
  /** The folder of the unix socket, 0700. */
  readonly socket: string;
  /** What the server writes about itself. */
  readonly log: string;
  /** Owned by the account; everything above is below or beside it. */
  readonly home: string;
}

/**
 * Decides, once and for ever, where the database of a data directory lives: below it, or, where only root may enter
 * it, below `systemFolder`. A file `location` then points there. Call it with the start lock held.
 * @param wanted `<data directory>/postgres`, existing
 * @throws StoreError `unusable_place`
 */
export async function choosePlace(
  wanted: string,
  systemFolder: string,
  account: Account | null,
  log: Logger,
): Promise<ClusterPlace> {
  const marker = join(wanted, "location");
  let home = await readFile(marker, "utf8").then(
    (text) => text.trim(),
    () => null,
  );
  if (home === null) {
    home = wanted;
    if (account !== null) await letThrough(dirname(wanted), account);
    if (account !== null && !(await canEnter(dirname(wanted), account))) {
      if (await exists(join(wanted, "data"))) {
        throw new StoreError(
          "unusable_place",
          `The database in ${wanted} cannot be reached by the user ${account.name}, which PostgreSQL runs as: let others enter the folders above it (chmod o+x).`,
        );
      }
      home = await freeSystemHome(wanted, systemFolder);
      await writeFile(`${marker}.new`, `${home}\n`, { mode: 0o600 });
      await rename(`${marker}.new`, marker);
    }
  }
  if (home !== wanted) {
    log.info(
      { wanted, home },
      `the database lives in ${home}, because only root may enter ${dirname(wanted)}`,
    );
  }
  await makeFolder(home, account);
  const socket = await socketFolder(home, account);
  return { home, socket, data: join(home, "data"), log: join(home, "server.log") };
}

/** A folder that is root's alone is passed through by that account too, which can neither list nor write it. */
async function letThrough(folder: string, { gid }: Account): Promise<void> {
  const { uid, mode } = await stat(folder);
  if (uid !== 0 || (mode & 0o77) !== 0) return;
  await chown(folder, uid, gid);
  await chmod(folder, 0o710);
}

/** The folder for copies of the programs: one that the account can reach. It need not exist yet. */
export function copiesFolder(wanted: string, systemFolder: string, account: Account | null): string {
  return account === null ? wanted : systemFolder;
}

async function freeSystemHome(wanted: string, systemFolder: string): Promise<string> {
  const name = createHash("sha256").update(wanted).digest("hex").slice(0, 16);
  await mkdir(systemFolder, { recursive: true });
  await chmod(systemFolder, 0o755);
  // A home without a marker that points to it belongs to a data directory that was deleted: left alone, never reused.
  for (let round = 1; ; round++) {
    const home = join(systemFolder, round === 1 ? name : `${name}-${round}`);
    const inside = await readdir(home).catch(() => []);
    if (inside.length === 0) return home;
  }
}

async function socketFolder(home: string, account: Account | null): Promise<string> {
  const near = join(home, "socket");
  if (Buffer.byteLength(join(near, socketName)) <= maxSocketPath) {
    await makeFolder(near, account);
    return near;
  }
  const name = createHash("sha256").update(home).digest("hex").slice(0, 16);
  const far = join(await realpath(tmpdir()), `wheelhouse-${name}`);
  await makeFolder(far, account);
  const found = await lstat(far);
  // Anybody may make folders there: one that is not ours would let its owner stand in for the database.
  if (
    !found.isDirectory() ||
    found.uid !== (account?.uid ?? process.getuid?.()) ||
    (found.mode & 0o77) !== 0
  ) {
    throw new StoreError(
      "unusable_place",
      `${far} belongs to somebody else: remove it, or use a shorter --data path.`,
    );
  }
  return far;
}

/** Makes a folder that is the account's alone. */
async function makeFolder(path: string, account: Account | null): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    // Only what is still root's is handed over; a stranger's folder is refused by who uses it.
    if ((await lstat(path)).uid !== 0) return;
  }
  if (account !== null) await chown(path, account.uid, account.gid);
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );
