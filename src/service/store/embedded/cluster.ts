import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { codeOf, StoreError, sentenceOf } from "../store-error.ts";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import type { ClusterPlace } from "./place.ts";

/** The superuser of the embedded database; only its unix socket lets anybody in. */
export const superuser = "wheelhouse";

/**
 * Makes the cluster where there is none. It is made aside and renamed, so a half-made one is never mistaken for data;
 * a folder that holds anything else is refused. Call it with the start lock held.
 * @throws StoreError `unusable_place`, `wrong_version`, `start_failed`
 */
export async function ensureCluster(
  place: ClusterPlace,
  binaries: Binaries,
  account: Account | null,
): Promise<void> {
  const version = await readFile(`${place.data}/PG_VERSION`, "utf8").then(
    (text) => text.trim(),
    (error: unknown) => {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    },
  );
  if (version === binaries.major) return;
  if (version !== null) {
    throw new StoreError(
      "wrong_version",
      `The database in ${place.data} was written by PostgreSQL ${version}, and this release brings ${binaries.major}: keep the folder and move its content over with pg_dump of version ${version}, or name another --data folder.`,
    );
  }
  const found = await readdir(place.data).catch(() => []);
  if (found.length > 0) {
    throw new StoreError(
      "unusable_place",
      `${place.data} is not empty and holds no PostgreSQL database: move it away, or name another --data folder.`,
    );
  }
  await makeCluster(place, binaries, account);
}

async function makeCluster(place: ClusterPlace, binaries: Binaries, account: Account | null): Promise<void> {
  for (const name of await readdir(place.home)) {
    // Left by a start that was killed. Its initdb may still write: whatever cannot be removed is left for the next time.
    if (name.startsWith("data.init")) {
      await rm(`${place.home}/${name}`, { recursive: true, force: true }).catch(() => undefined);
    }
  }
  const draft = `${place.data}.init-${randomUUID()}`;
  const options = [
    `--pgdata=${draft}`,
    `--username=${superuser}`,
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth-local=trust",
    "--auth-host=reject",
    "--no-instructions",
  ];
  const as = account === null ? {} : { uid: account.uid, gid: account.gid };
  try {
    await promisify(execFile)(binaries.initdb, options, { cwd: place.home, ...as });
  } catch (error) {
    throw new StoreError("start_failed", `PostgreSQL could not make its files: ${sentenceOf(error)}`, error);
  }
  await rename(draft, place.data);
}
