import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { DataDirectoryError, makeDataDirectory } from "../data-directory.ts";

/**
 * The secret that signs links: `WHEELHOUSE_SECRET`, else the file `secret` in the data directory, made at the first
 * start for its owner alone. Two first starts at once end up with the same one.
 * @throws DataDirectoryError
 */
export function readServiceSecret({
  secret,
  dataDirectory,
}: Pick<Config, "secret" | "dataDirectory">): string {
  if (secret !== null) return secret;
  const file = join(dataDirectory, "secret");
  return readExisting(file) ?? makeSecretFile(file, dataDirectory);
}

function makeSecretFile(file: string, directory: string): string {
  makeDataDirectory(directory);
  const aside = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(aside, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    // Unlike a rename, a link never replaces the one that another start just made.
    linkSync(aside, file);
    chmodSync(file, 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return readFileSync(file, "utf8").trim();
}

function readExisting(file: string): string | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new DataDirectoryError(file, error);
  }
  if (text.length < 32) throw new Error(`${file} holds no secret: remove it to have a new one made`);
  return text;
}
