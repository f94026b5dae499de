import { once } from "node:events";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { codeOf, sentenceOf } from "../store/store-error.ts";
import { BackupError } from "./backup-error.ts";

/** Where a backup goes. */
export interface Sink {
  put(bytes: Buffer): Promise<void>;
  /** All of it is there, for good. */
  finish(): Promise<void>;
  /** Leaves nothing of it. */
  undo(): Promise<void>;
}

/** So long after its last byte what lies aside counts as left by somebody who was killed, in milliseconds. */
const leftMs = 600_000;

/**
 * A file, for its owner alone. It is written aside and has its name once it is whole and on the disk; one that has that name
 * already stays until then. A link stays one, and what is no file, such as a device, is refused rather than replaced.
 * @throws BackupError `unwritable`
 */
export async function fileSink(name: string): Promise<Sink> {
  const path = await realpath(name).catch(() => name);
  const aside = `${path}.partial`;
  const unwritable = (error: unknown) =>
    new BackupError(
      "unwritable",
      `${path} cannot be written: ${sentenceOf(error)}. Nothing of it was kept.`,
      error,
    );
  let file: FileHandle;
  try {
    const what = await unfit(path);
    if (what !== null) throw new BackupError("unwritable", `${path} is ${what}.`);
    await clearLeft(aside);
    file = await open(aside, "wx", 0o600);
  } catch (error) {
    throw error instanceof BackupError ? error : unwritable(error);
  }
  return {
    async put(bytes) {
      try {
        for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
      } catch (error) {
        throw unwritable(error);
      }
    },
    async finish() {
      try {
        await file.sync();
        await file.close();
        await rename(aside, path);
        const folder = await open(dirname(path), "r");
        await folder.sync().finally(() => folder.close());
      } catch (error) {
        throw unwritable(error);
      }
    },
    async undo() {
      await file.close().catch(() => undefined);
      await rm(aside, { force: true });
    },
  };
}

/** What it is where a backup cannot have its name, and what to name; null: a file, or nothing yet. */
async function unfit(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || found.isFile()) return null;
  return found.isDirectory() ? "a folder: name a file in it" : "no file: name one, or - for standard output";
}

async function clearLeft(aside: string): Promise<void> {
  const found = await stat(aside).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });
  if (found === null) return;
  if (Date.now() - found.mtimeMs < leftMs)
    throw new BackupError(
      "unwritable",
      `${aside} was written just now: another backup is on its way to this file. Wait for it.`,
    );
  await rm(aside);
}

/** A pipe. */
export function streamSink(stream: Writable): Sink {
  let failure: unknown = null;
  stream.on("error", (error) => {
    failure ??= error;
  });
  const check = () => {
    if (failure === null) return;
    throw new BackupError(
      "unwritable",
      `Whoever reads the backup has stopped: ${sentenceOf(failure)}.`,
      failure,
    );
  };
  return {
    async put(bytes) {
      check();
      if (!stream.write(bytes)) await once(stream, "drain").catch(() => undefined);
      check();
    },
    async finish() {
      await new Promise<void>((resolve) => stream.write("", () => resolve()));
      check();
    },
    undo: async () => undefined,
  };
}
