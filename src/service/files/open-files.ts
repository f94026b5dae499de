import type { FilesPlace } from "../config.ts";
import { codeOf, isOutOfRoom } from "../store/store-error.ts";
import { directoryFileStore, type FileStore } from "./file-store.ts";
import { FilesError } from "./files-error.ts";
import { s3FileStore } from "./s3/s3-file-store.ts";

/** The file store of a place. Nothing is looked at yet: `check` does. */
export function openPlace(place: FilesPlace): FileStore {
  return place.type === "folder" ? directoryFileStore(place.path) : s3FileStore(place);
}

/** The files of an installation: those of its place, and, while they move, also those that are only in the other one. */
export function openFiles({
  filesAt,
  filesAlsoAt,
}: {
  readonly filesAt: FilesPlace;
  readonly filesAlsoAt: FilesPlace | null;
}): FileStore {
  const files = openPlace(filesAt);
  return filesAlsoAt === null ? files : withFallback(files, openPlace(filesAlsoAt));
}

/**
 * The first store, and for what is not in it also the second, which is only read: what is written lies in the first from then
 * on. Nothing is removed from the second, nor listed there: what moves is asked for by its name.
 */
export function withFallback(files: FileStore, also: Pick<FileStore, "read" | "size">): FileStore {
  return {
    ...files,
    read: async (id, range) => (await files.read(id, range)) ?? (await also.read(id, range)),
    size: async (id) => (await files.size(id)) ?? (await also.size(id)),
  };
}

/**
 * Makes a place ready that a command is about to write to.
 * @param flag that names it
 * @throws FilesError that says which place cannot be used, and the system's word for why
 */
export async function preparePlace<T>(
  place: FilesPlace,
  flag: string,
  work: (files: FileStore) => Promise<T>,
): Promise<T> {
  const files = openPlace(place);
  try {
    await files.check();
    return await work(files);
  } catch (error) {
    const code = codeOf(error);
    const isOfFolder = place.type === "folder" && error instanceof Error && "syscall" in error;
    if (code === undefined || !isOfFolder || isOutOfRoom(error)) throw error;
    const found = `${flag}: ${placeText(place)} cannot be used (${code})`;
    throw new FilesError("refused", found, "Name a folder that this account may write to", error);
  }
}

/** A place as a person names it, without its settings and keys. */
export function placeText(place: FilesPlace): string {
  if (place.type === "folder") return place.path;
  return `s3://${place.bucket}${place.prefix === "" ? "" : `/${place.prefix}`}`;
}
