import { BackupError } from "../backup/backup-error.ts";
import { FilesError } from "../files/files-error.ts";
import { isOutOfRoom, StoreError, sentenceOf } from "../store/store-error.ts";
import type { Terminal } from "./terminal.ts";

/** Says why a backup was not made or restored, or a schema not brought up to date: as a line, and for programs as JSON. @returns the exit code */
export function sayFailure(error: unknown, json: boolean, { print, complain }: Terminal): number {
  const { kind, message } = failureOf(error);
  if (json) print(JSON.stringify({ ok: false, kind, message }));
  complain(message);
  return 1;
}

function failureOf(error: unknown): { readonly kind: string; readonly message: string } {
  if (error instanceof BackupError || error instanceof StoreError) return error;
  if (isOutOfRoom(error))
    return {
      kind: "unwritable",
      message: `There is no room left: ${sentenceOf(error)}. Nothing of it was kept.`,
    };
  if (error instanceof FilesError) return { kind: "unsuitable", message: error.message };
  return { kind: "failed", message: sentenceOf(error) };
}
