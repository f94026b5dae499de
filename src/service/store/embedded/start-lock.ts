import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf, StoreError } from "../store-error.ts";

const timeoutMs = 60_000;

/**
 * Runs `work` while no other process on this machine holds the lock file. A lock whose process is gone is broken.
 * @throws StoreError `start_failed` when a living process holds it for a minute
 */
export async function withStartLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${await startedAt(process.pid)} ${randomUUID()}`;
  await acquire(path, mine);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquire(path: string, mine: string): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await create(path, mine))) {
    const holder = await readFile(path, "utf8").catch(() => null);
    if (holder !== null && !(await alive(holder))) await breakLock(path, holder);
    else await delay(25);
    if (performance.now() > deadline) {
      throw new StoreError(
        "start_failed",
        `Process ${holder?.split(" ")[0] ?? "?"} has been starting this database for a minute (${path}): end it, then start again.`,
      );
    }
  }
}

/** Makes the file with its content at once, so that nobody reads an empty one. @returns false if it is there */
async function create(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${content.split(" ")[2]}`;
  await writeFile(draft, content, { mode: 0o600 }).catch((error: unknown) => {
    throw new StoreError(
      "unusable_place",
      `${dirname(path)} cannot be written (${codeOf(error) ?? "?"}): make it writable, or name another --data folder.`,
      error,
    );
  });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes a dead holder's lock. Of several that want to, only the one that makes the breaker file may. */
async function breakLock(path: string, holder: string): Promise<void> {
  const breaker = `${path}.break-${holder.split(" ")[2]}`;
  if (!(await create(breaker, `${process.pid} 0 ${randomUUID()}`))) return void (await delay(25));
  try {
    if ((await readFile(path, "utf8").catch(() => null)) === holder) await rm(path, { force: true });
  } finally {
    await rm(breaker, { force: true });
  }
}

async function alive(holder: string): Promise<boolean> {
  const [pid, started] = holder.split(" ");
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  // The number may have gone to another process since: compare when it started, where the system tells.
  return started === "0" || (await startedAt(Number(pid))) === started;
}

/** @returns the start time of a process in ticks since boot, `0` where there is no /proc */
async function startedAt(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // The second field, the program's name, may hold spaces and parentheses.
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "0";
}
