import { randomBytes } from "node:crypto";
import { type FileHandle, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { makeFolder } from "../make-folder.ts";

/** Bytes from `start` to `end`, both included, as in an HTTP range. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The one port through which the bytes of artifacts and run files go. Names, owners and media types are rows of the
 * database; here a file is an id of ours and bytes, so no text from outside ever becomes a path.
 */
export interface FileStore {
  /** Writes all of it or nothing. Writing an id again replaces its bytes, so a repeated step does no harm. @returns bytes written */
  write(id: string, content: string | Uint8Array | Readable): Promise<number>;
  /** @returns null when there is no such file */
  read(id: string, range?: ByteRange): Promise<Readable | null>;
  /** @returns bytes, or null when there is no such file */
  size(id: string): Promise<number | null>;
  /** Does nothing when there is no such file, or where the folder's bytes are not ours to remove. */
  remove(id: string): Promise<void>;
  /** Whether anything is removed at all. */
  mayRemove(): Promise<boolean>;
  /** The time by the clock that dates what is written here. */
  now(): Promise<Date>;
  /** Ids of the files that were last written before then; the folders are read one after the other. */
  writtenBefore(then: Date): AsyncIterable<string>;
  /** Removes what is left of writes that were cut off before then. @returns how many */
  removeCutOff(then: Date): Promise<number>;
  /** Who ever wrote here, by the names that they gave. */
  writers(): Promise<readonly string[]>;
  /** @param name letters and digits */
  addWriter(name: string): Promise<void>;
  /** What was last written as the folder's mark; null before. */
  readMark(): Promise<string | null>;
  /** Replaces it: whoever reads it sees the one before or this one. */
  writeMark(text: string): Promise<void>;
  /** Makes the place ready where that can be done, and tries what the service does with it. @throws the system's error, FilesError */
  check(): Promise<void>;
  /** Some names of what lies there, whoever's it is; none where nothing does. */
  contents(): Promise<readonly string[]>;
  /** Removes everything that lies there. For a place that had nothing in it before. */
  clear(): Promise<void>;
}

const idForm = /^[A-Za-z0-9_-]{8,128}$/;
/** Whether a file may have this id. */
export const isFileId = (id: string) => idForm.test(id);
/** The same id. @throws where no file may have it */
export function assertFileId(id: string): string {
  if (!isFileId(id)) throw new Error("A file id is 8 to 128 letters, digits, _ or -");
  return id;
}
/** The same name. @throws where no writer may have it */
export function assertWriter(name: string): string {
  if (!/^[A-Za-z0-9]{1,64}$/.test(name)) throw new Error("A writer's name is 1 to 64 letters or digits");
  return name;
}
/** Lies at the top of a disk of its own, and is no file of anybody's. */
const ofTheDisk = "lost+found";
/** How a file is called until it is whole. */
const asideForm = /^[A-Za-z0-9_-]{8,128}\.[0-9a-f]{12}$/;

/** Keeps each file below `directory`, in folders by the end of its id, written aside and renamed into place. */
export function directoryFileStore(directory: string): FileStore {
  const pathOf = (id: string) => join(directory, assertFileId(id).slice(-2), id);
  const sizeOf = async (path: string) => {
    try {
      return (await stat(path)).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const writersFolder = join(directory, "writers");
  const markPath = join(directory, "mark");
  const namesIn = async (folder: string) => {
    try {
      return await readdir(folder);
    } catch (error) {
      if (isMissing(error) || isNoFolder(error)) return [];
      throw error;
    }
  };
  /** Paths and names of what looks as if it were ours and was last written before then. */
  async function* lyingSince(then: Date, form: RegExp) {
    for (const folder of await namesIn(directory)) {
      if (folder.length !== 2) continue;
      for (const name of await namesIn(join(directory, folder))) {
        const path = join(directory, folder, name);
        if (form.test(name) && (await writtenAt(path)) < then.getTime()) yield { path, name };
      }
    }
  }
  return {
    write: (id, content) => replace(pathOf(id), content),
    async read(id, range) {
      const path = pathOf(id);
      try {
        // A stream that opens it later would fail when nobody listens yet, or when an answer has begun.
        return (await open(path, "r")).createReadStream(range);
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    size: (id) => sizeOf(pathOf(id)),
    remove: (id) => rm(pathOf(id), { force: true }),
    mayRemove: async () => true,
    async now() {
      // A folder of another machine is dated by that one. Called as what is cut off, which a sweep removes.
      const path = join(directory, "00", `clock000.${randomBytes(6).toString("hex")}`);
      const file = await openNew(path);
      try {
        return (await file.stat()).mtime;
      } finally {
        await file.close();
        await rm(path, { force: true });
      }
    },
    async *writtenBefore(then) {
      for await (const { name } of lyingSince(then, idForm)) yield name;
    },
    async removeCutOff(then) {
      let removed = 0;
      for await (const { path } of lyingSince(then, asideForm)) {
        await rm(path, { force: true });
        removed++;
      }
      return removed;
    },
    writers: () => namesIn(writersFolder),
    async addWriter(name) {
      const path = join(writersFolder, assertWriter(name));
      makeFolder(writersFolder, 0o700);
      await writeFile(path, "", { mode: 0o600 });
    },
    async readMark() {
      try {
        return await readFile(markPath, "utf8");
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async writeMark(text) {
      await replace(markPath, text);
    },
    async check() {
      makeFolder(directory, 0o700);
    },
    async contents() {
      return (await namesIn(directory)).filter((name) => name !== ofTheDisk).sort();
    },
    async clear() {
      for (const name of await namesIn(directory))
        if (name !== ofTheDisk) await rm(join(directory, name), { recursive: true, force: true });
    },
  };
}

/** Writes all of it or nothing, aside and then into its place. @returns bytes written */
async function replace(path: string, content: string | Uint8Array | Readable): Promise<number> {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  // Until it is poured nobody else listens: one that breaks off before would end the process.
  if (content instanceof Readable) content.on("error", () => undefined);
  const file = await openNew(aside).catch((error: unknown) => {
    // It holds a file open, and nobody else will end it.
    if (content instanceof Readable) content.destroy();
    throw error;
  });
  try {
    const written = await (content instanceof Readable ? pour(content, file) : put(content, file));
    await rename(aside, path);
    return written;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(aside, { force: true });
    throw error;
  }
}

/** A file that is not there yet, in a folder that may not be there either: there are few, and they stay. */
async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    if (!isMissing(error)) throw error;
    makeFolder(dirname(path), 0o700);
    return await open(path, "wx", 0o600);
  }
}

/** Writes all of it to the disk and closes the file. @returns bytes written */
async function pour(source: Readable, file: FileHandle): Promise<number> {
  const sink = file.createWriteStream({ flush: true });
  await pipeline(source, sink);
  return sink.bytesWritten;
}

/** The same for what is there as a whole: a stream of it would cost several times as much. */
async function put(content: string | Uint8Array, file: FileHandle): Promise<number> {
  await file.writeFile(content);
  await file.sync();
  await file.close();
  return Buffer.byteLength(content);
}

/** In ms since 1970; never, where there is nothing any more. */
async function writtenAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

function isNoFolder(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOTDIR";
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
