import { Readable } from "node:stream";
import yazl from "yazl";
import type { FileStore } from "./file-store.ts";
import { zipNames } from "./zip-names.ts";

/** A file to put into a zip: its name there, before it is made safe and unique, and its id in the file store. */
export interface ZipSource {
  readonly name: string;
  readonly fileId: string;
  readonly modifiedAt: Date;
}

/**
 * A zip of these files as it is made: one file is open at a time, and only as much is read as the reader takes.
 * @param signal closes everything when the reader is gone
 */
export function zipStream(files: FileStore, sources: readonly ZipSource[], signal: AbortSignal): Readable {
  const zip = new yazl.ZipFile();
  const names = zipNames(sources.map(({ name }) => name));
  const output = zip.outputStream;
  // The types of the library say less than it gives.
  if (!(output instanceof Readable)) throw new TypeError("yazl gives no stream that can be destroyed");
  let open: Readable | null = null;
  const fail = (error: Error) => {
    open?.destroy();
    output.destroy(error);
  };
  zip.on("error", fail);
  for (const [index, { fileId, modifiedAt }] of sources.entries()) {
    const options = { mtime: modifiedAt, mode: 0o100644 };
    zip.addReadStreamLazy(names[index] ?? "file", options, (give) => {
      files.read(fileId).then(
        (stream) => {
          open = stream;
          // The library does not listen: a source that breaks off would reach the top, and end the process.
          stream?.on("error", fail);
          if (!stream) give(new Error(`The bytes of the file ${fileId} are missing`), Readable.from([]));
          else if (output.destroyed) stream.destroy();
          else give(null, stream);
        },
        (error: unknown) => give(error, Readable.from([])),
      );
    });
  }
  zip.end();
  const onAbort = () => fail(new Error("The reader is gone"));
  signal.addEventListener("abort", onAbort, { once: true });
  output.on("close", () => {
    open?.destroy();
    signal.removeEventListener("abort", onAbort);
  });
  if (signal.aborted) onAbort();
  return output;
}
