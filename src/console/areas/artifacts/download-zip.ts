import { downloadFiles } from "../../../contract/files.ts";
import { call } from "../../api/client.ts";
import { ownerOf } from "../../api/connection.ts";
import type { Api } from "../../lib/api.tsx";
import type { ArtifactIn } from "./queries.ts";
import { type PackedFile, packedBytes, readZip, writeZip } from "./worker/zip.ts";

/** How far a download of several files is. */
export interface ZipProgress {
  readonly total: number;
  readonly done: number;
  /** Files that did not come, with the error of their conversation. */
  readonly failed: readonly { readonly files: number; readonly error: unknown }[];
}

/** How many files did not come. */
export const filesIn = (failed: ZipProgress["failed"]): number =>
  failed.reduce((sum, one) => sum + one.files, 0);

/** The interface takes so many names in one call. */
const mostNames = 1_000;

/** Why a file cannot be part of a zip; null where it can: the interface asks for its conversation and its name (§4.6). */
export function zipHindrance(row: ArtifactIn): string | null {
  if (!row.session_id) return "The service did not name the conversation, which the zip needs";
  return row.filename ? null : "The service did not send the name, which the zip needs";
}

/**
 * One zip of files of any number of conversations (§4.6 takes one at a time). Those of one conversation come as they
 * are; of several, each has a folder named by its id. What cannot be had is told, and the rest is still given.
 * @returns null where nothing could be had
 */
export async function zipOf(
  api: Api,
  rows: readonly ArtifactIn[],
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: ZipProgress) => void },
): Promise<Blob | null> {
  const bySession = new Map<string, ArtifactIn[]>();
  for (const row of rows) {
    const session = row.session_id ?? "";
    bySession.set(session, [...(bySession.get(session) ?? []), row]);
  }
  const packed: PackedFile[] = [];
  let progress: ZipProgress = { total: rows.length, done: 0, failed: [] };
  for (const [session, files] of bySession) {
    const names = [...new Set(files.flatMap((row) => row.filename ?? []))];
    for (let at = 0; at < names.length; at += mostNames) {
      const part = names.slice(at, at + mostNames);
      try {
        const zip = await download(api, session, part, signal);
        for (const entry of await readZip(zip)) {
          const name = bySession.size > 1 ? `${folderOf(session)}/${entry.name}` : entry.name;
          packed.push({ ...entry, name, packed: await packedBytes(zip, entry) });
        }
        progress = { ...progress, done: progress.done + part.length };
      } catch (error) {
        signal.throwIfAborted();
        progress = { ...progress, failed: [...progress.failed, { files: part.length, error }] };
      }
      onProgress(progress);
    }
  }
  return packed.length === 0 ? null : writeZip(packed);
}

async function download(api: Api, session: string, names: string[], signal: AbortSignal): Promise<Blob> {
  const body = { run_id: session, file_names: names, ...ownerOf(api) };
  return (await call(api, downloadFiles, { body }, { signal })).data;
}

/** An id is text from elsewhere: nothing in it may lead out of the folder that it is unpacked in. */
const folderOf = (id: string): string => id.replaceAll(/[^\w-]+/g, "_") || "conversation";
