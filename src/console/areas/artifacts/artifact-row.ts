import { formatSize } from "../../lib/files.ts";
import { shownName } from "../../lib/shownName.ts";

import { kindOf, type TypeWord, typeWord } from "./kind.ts";
import { type ArtifactIn, versionOf } from "./queries.ts";

/** One file with the versions of it that a list gave. */
export interface ArtifactFile {
  /** Its newest version. */
  readonly newest: ArtifactIn;
  /** All that were listed, newest first; at least the newest. */
  readonly versions: readonly ArtifactIn[];
  /** How many versions there are: at least those that were listed. */
  readonly count: number;
}

/** What a file is called: its name with marks for what cannot be seen (C-08), else its id. */
export const artifactName = (row: Pick<ArtifactIn, "id" | "filename">): string =>
  row.filename ? shownName(row.filename) : shownName(row.id);

/** Bytes, where the service told a size that can be one. */
export function sizeOf(row: Pick<ArtifactIn, "metadata">): number | null {
  const size = row.metadata?.size;
  return typeof size === "number" && Number.isFinite(size) && size >= 0 ? size : null;
}

/** The size in words. */
export const sizeWords = (size: number | null): string => (size === null ? "unknown" : formatSize(size));

/** As the service told it; null where it did not. */
export const mediaTypeOf = (row: Pick<ArtifactIn, "metadata">): string | null =>
  row.metadata?.media_type || null;

/** The type in a word: of its name, else of its media type. */
export const typeOf = (row: ArtifactIn): TypeWord => typeWord(row.filename, mediaTypeOf(row));

/** How its preview is drawn. */
export const kindOfRow = (row: ArtifactIn) => kindOf(row.filename, mediaTypeOf(row));

/** Versions under their file: rows with one id, or of one name in one conversation, in the order of the newest. */
export function groupFiles(rows: readonly ArtifactIn[]): readonly ArtifactFile[] {
  const files = new Map<string, ArtifactIn[]>();
  for (const row of rows) {
    const key = row.session_id && row.filename ? `${row.session_id}\n${row.filename}` : row.id;
    const file = files.get(key);
    if (!file) files.set(key, [row]);
    else if (!file.some((one) => one.id === row.id && versionOf(one) === versionOf(row))) file.push(row);
  }
  return [...files.values()].map((file) => {
    const versions = file.toSorted(compareVersions);
    const newest = versions[0] ?? (file[0] as ArtifactIn);
    return { newest, versions, count: Math.max(versions.length, newest.major_version ?? 1) };
  });
}

function compareVersions(a: ArtifactIn, b: ArtifactIn): number {
  const byNumber = (b.major_version ?? 0) - (a.major_version ?? 0);
  return byNumber !== 0 ? byNumber : (b.created_at ?? "").localeCompare(a.created_at ?? "");
}
