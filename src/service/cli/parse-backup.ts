import { resolve } from "node:path";
import type { Config } from "../config.ts";
import { UsageError } from "./usage-error.ts";

/** `backup FILE`. */
export interface BackupCommand {
  readonly type: "backup";
  /** Absolute; null: standard output. */
  readonly file: string | null;
  readonly withSecret: boolean;
  /** Bytes a second; null: as fast as it goes. */
  readonly rate: number | null;
  readonly json: boolean;
}

/** `restore FILE`. */
export interface RestoreCommand {
  readonly type: "restore";
  /** Absolute. */
  readonly file: string;
  /** Reads all of it and writes nothing. */
  readonly check: boolean;
  /** The secret that it was made with is lost. */
  readonly newSecret: boolean;
  readonly json: boolean;
}

/** The flags of both. */
interface Values {
  readonly data?: string | undefined;
  readonly files?: string | undefined;
  readonly "with-secret"?: boolean | undefined;
  readonly "new-secret"?: boolean | undefined;
  readonly rate?: string | undefined;
  readonly check?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** @throws UsageError */
export function readBackup(file: string, values: Values, cwd: string): BackupCommand {
  const { "with-secret": withSecret = false, rate, json = false } = values;
  const path = file === "-" ? null : resolve(cwd, file);
  if (json && path === null) throw new UsageError("--json is for a FILE: standard output has the backup");
  return { type: "backup", file: path, withSecret, rate: rate === undefined ? null : readRate(rate), json };
}

/** @throws UsageError */
export function readRestore(
  file: string,
  values: Values,
  { databaseUrl }: Config,
  cwd: string,
): RestoreCommand {
  if (file === "-")
    throw new UsageError("restore takes a FILE: all of it is checked before anything is written; see --help");
  const { check = false, "new-secret": newSecret = false, json = false } = values;
  if (!check && databaseUrl === null && values.data === undefined)
    throw new UsageError("restore takes --data DIR, a folder that is empty or not there; see --help");
  if (!check && databaseUrl !== null && values.files === undefined)
    throw new UsageError("--files PLACE is required with DATABASE_URL: an empty place for the files");
  return { type: "restore", file: resolve(cwd, file), check, newSecret, json };
}

/** Bytes a second: a number with K, M or G, of a thousand each. @throws UsageError */
export function readRate(text: string): number {
  const found = /^(\d{1,9})([KMG]?)$/i.exec(text);
  const bytes = Number(found?.[1]) * 1_000 ** ["", "K", "M", "G"].indexOf((found?.[2] ?? "").toUpperCase());
  if (found === null || bytes < 1_000)
    throw new UsageError("--rate must be bytes a second, at least 1K, such as 500K, 20M or 1G");
  return bytes;
}
