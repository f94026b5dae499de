import type { Comparison } from "../../../lib/diff/compare-lines.ts";
import { CallError, callWorker, type WorkerEnd } from "../../../lib/workers/calls.ts";
import type { FileForm, fileMethods } from "./file-service.ts";
import type { SheetFacts } from "./tables.ts";

/** Why a file cannot be shown. */
export type FileTrouble = "broken" | "protected" | "too big" | "no reader";

/** What an opening of a FileClient rejected with. */
export function fileTroubleOf(error: unknown): FileTrouble {
  const kind = error instanceof CallError ? error.kind : "broken";
  if (kind === "protected" || kind === "too big" || kind === "no reader") return kind;
  return kind === "RangeError" ? "too big" : "broken";
}

/** A file that a worker has read. */
export interface OpenedFile {
  readonly sheets: readonly SheetFacts[];
  /** Of two texts: how they line up; the first sheet holds the lines of A, the second those of B. */
  readonly comparison: Comparison | null;
  /** Rows of a sheet, from 0; fewer at the end. Rejects with CallError where the worker broke. */
  rows(sheet: number, from: number, count: number): Promise<readonly (readonly string[])[]>;
}

/** Reads files in a worker that is started with the first of them. */
export interface FileClient {
  /** Takes the bytes over. Rejects with CallError. */
  open(form: FileForm, bytes: ArrayBuffer): Promise<OpenedFile>;
  /** The same for two texts, lined up. */
  compare(a: ArrayBuffer, b: ArrayBuffer, asJson: boolean): Promise<OpenedFile>;
  close(): void;
}

type Files = ReturnType<typeof fileMethods>;

/** @param spawn starts the worker; called at the first file, and again after a worker died */
export function createFileClient(spawn: () => WorkerEnd): FileClient {
  const gone = () => new CallError("no reader");
  const calls = callWorker<Files>(spawn, { errorOf: gone });

  function fileOf({ file, sheets, comparison }: Awaited<ReturnType<Files["open"]>>): OpenedFile {
    const { worker } = calls;
    return {
      sheets,
      comparison,
      async rows(sheet, from, count) {
        // A later worker knows nothing of this file.
        if (calls.worker !== worker) throw gone();
        return await calls.call("rows", { file, sheet, from, count });
      },
    };
  }

  return {
    open: async (form, bytes) => fileOf(await calls.call("open", { form, bytes }, { transfer: [bytes] })),
    compare: async (a, b, asJson) =>
      fileOf(await calls.call("compare", { a, b, asJson }, { transfer: [a, b] })),
    close: calls.close,
  };
}
