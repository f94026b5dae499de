import { type WorkerEnd, workerSeat } from "../../../lib/workers/worker-seat.ts";
import type { FileForm, FileTrouble, FromFiles, LinedUp, ToFiles } from "./file-service.ts";
import type { SheetFacts } from "./tables.ts";

/** A worker, or in tests the service itself. */
export type FilesPort = WorkerEnd<ToFiles, FromFiles>;

/** A file cannot be shown, and why. */
export class FileError extends Error {
  readonly why: FileTrouble;

  constructor(why: FileTrouble) {
    super(`The file cannot be shown: ${why}`);
    this.name = "FileError";
    this.why = why;
  }
}

/** A file that a worker has read. */
export interface OpenedFile {
  readonly sheets: readonly SheetFacts[];
  /** Of two files: how they line up. */
  readonly comparison: LinedUp | null;
  /** Rows of a sheet, from 0; fewer at the end. Rejects with FileError where the worker broke. */
  rows(sheet: number, from: number, count: number): Promise<readonly (readonly string[])[]>;
  close(): void;
}

/** Reads files in a worker that is started with the first of them. */
export interface FileClient {
  /** Takes the bytes over. Rejects with FileError. */
  open(form: FileForm, bytes: ArrayBuffer): Promise<OpenedFile>;
  /** The same for two texts, lined up. */
  compare(a: ArrayBuffer, b: ArrayBuffer, asJson: boolean): Promise<OpenedFile>;
  close(): void;
}

type Waiting<T> = { readonly resolve: (value: T) => void; readonly reject: (error: Error) => void };

/** @param spawn starts the worker; called at the first file, and again after a worker died */
export function createFileClient(spawn: () => FilesPort): FileClient {
  const openings = new Map<number, Waiting<OpenedFile>>();
  const asks = new Map<number, Waiting<readonly (readonly string[])[]>>();
  let counter = 0;

  const seat = workerSeat<ToFiles, FromFiles>(spawn, take, fail);

  function fail(): void {
    const error = new FileError("no reader");
    for (const { reject } of [...openings.values(), ...asks.values()]) reject(error);
    openings.clear();
    asks.clear();
  }

  function take(message: FromFiles): void {
    if (message.type === "rows") {
      asks.get(message.ask)?.resolve(message.rows);
      asks.delete(message.ask);
      return;
    }
    const waiting = openings.get(message.id);
    openings.delete(message.id);
    if (message.type === "failed") waiting?.reject(new FileError(message.why));
    else waiting?.resolve(fileOf(message.id, message));
  }

  function fileOf(id: number, { sheets, comparison }: Pick<OpenedFile, "sheets" | "comparison">): OpenedFile {
    // A later worker knows nothing of this file.
    const { worker } = seat;
    return {
      sheets,
      comparison,
      rows: (sheet, from, count) =>
        new Promise((resolve, reject) => {
          if (seat.worker !== worker) return reject(new FileError("no reader"));
          counter += 1;
          asks.set(counter, { resolve, reject });
          seat.post({ type: "rows", id, ask: counter, sheet, from, count });
        }),
      close: () => seat.worker === worker && seat.tell({ type: "close", id }),
    };
  }

  function send(make: (id: number) => ToFiles, transfer: Transferable[]): Promise<OpenedFile> {
    counter += 1;
    const id = counter;
    return new Promise((resolve, reject) => {
      openings.set(id, { resolve, reject });
      seat.post(make(id), transfer);
    });
  }

  return {
    open: (form, bytes) => send((id) => ({ type: "open", id, form, bytes }), [bytes]),
    compare: (a, b, asJson) => send((id) => ({ type: "compare", id, a, b, asJson }), [a, b]),
    close() {
      seat.end();
      fail();
    },
  };
}
