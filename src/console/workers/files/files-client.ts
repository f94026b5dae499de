import type { FileForm, FileTrouble, FromFiles, LinedUp, SheetFacts, ToFiles } from "./file-messages.ts";

/** The two ends of a worker, so that tests can do without one. */
export interface FilesPort {
  postMessage(message: ToFiles, transfer: Transferable[]): void;
  /** `onDeath`: the worker broke and will not answer. */
  listen(onMessage: (message: FromFiles) => void, onDeath: () => void): void;
  terminate(): void;
}

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
export interface FileReaderDesk {
  /** Takes the bytes over. Rejects with FileError. */
  open(form: FileForm, bytes: ArrayBuffer): Promise<OpenedFile>;
  /** The same for two texts, lined up. */
  compare(a: ArrayBuffer, b: ArrayBuffer, asJson: boolean): Promise<OpenedFile>;
  close(): void;
}

type Waiting<T> = { readonly resolve: (value: T) => void; readonly reject: (error: Error) => void };

/** @param spawn starts the worker */
export function createFileDesk(spawn: () => FilesPort): FileReaderDesk {
  const openings = new Map<number, Waiting<OpenedFile>>();
  const asks = new Map<number, Waiting<readonly (readonly string[])[]>>();
  let port: FilesPort | null = null;
  let counter = 0;

  function die(): void {
    const error = new FileError("no reader");
    for (const { reject } of [...openings.values(), ...asks.values()]) reject(error);
    openings.clear();
    asks.clear();
    port?.terminate();
    port = null;
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
    return {
      sheets,
      comparison,
      rows: (sheet, from, count) =>
        new Promise((resolve, reject) => {
          if (!port) return reject(new FileError("no reader"));
          counter += 1;
          asks.set(counter, { resolve, reject });
          port.postMessage({ type: "rows", id, ask: counter, sheet, from, count }, []);
        }),
      close: () => port?.postMessage({ type: "close", id }, []),
    };
  }

  function send(make: (id: number) => ToFiles, transfer: Transferable[]): Promise<OpenedFile> {
    if (!port) {
      port = spawn();
      port.listen(take, die);
    }
    counter += 1;
    const id = counter;
    const to = port;
    return new Promise((resolve, reject) => {
      openings.set(id, { resolve, reject });
      to.postMessage(make(id), transfer);
    });
  }

  return {
    open: (form, bytes) => send((id) => ({ type: "open", id, form, bytes }), [bytes]),
    compare: (a, b, asJson) => send((id) => ({ type: "compare", id, a, b, asJson }), [a, b]),
    close: die,
  };
}
