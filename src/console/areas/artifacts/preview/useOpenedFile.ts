import { useEffect, useReducer, useRef, useState } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import type { FileForm, FileTrouble } from "../worker/file-service.ts";
import { createFileDesk, FileError, type FileReaderDesk, type OpenedFile } from "../worker/files-client.ts";

/** A file that takes longer to read is given up, in ms. */
const patience = 60_000;

interface Reading {
  readonly file: OpenedFile | null;
  readonly trouble: FileTrouble | null;
}

const nothing: Reading = { file: null, trouble: null };

/** Opens files in a worker of their own, which ends with what shows them. Null asks for nothing yet. */
export function useOpened(start: ((desk: FileReaderDesk) => Promise<OpenedFile>) | null): Reading {
  const { clock, workers } = useApi();
  const [reading, setReading] = useState(nothing);
  useEffect(() => {
    if (start === null) return;
    let isGone = false;
    const desk = createFileDesk(() => workers.start("files"));
    const stop = clock.after(patience, desk.close);
    start(desk)
      .then((file) => !isGone && setReading({ file, trouble: null }))
      .catch((error: unknown) => {
        if (!isGone) setReading({ file: null, trouble: error instanceof FileError ? error.why : "broken" });
      })
      .finally(stop);
    return () => {
      isGone = true;
      stop();
      desk.close();
      setReading(nothing);
    };
  }, [start, workers, clock]);
  return reading;
}

/** Bytes opened in one of the forms of a file. */
export function useOpenedFile(form: FileForm, bytes: Uint8Array | undefined): Reading {
  const start = useRef<{ key: unknown; run: (desk: FileReaderDesk) => Promise<OpenedFile> } | null>(null);
  if (bytes !== undefined && start.current?.key !== bytes) {
    // Copied, because the worker takes what it is given, and others look at these bytes too.
    start.current = { key: bytes, run: (desk) => desk.open(form, bytes.slice().buffer as ArrayBuffer) };
  }
  return useOpened(start.current?.run ?? null);
}

const block = 200;

/** The rows of a sheet as they are looked at: those in view are asked for, and come a moment later. */
export function useRows(file: OpenedFile | null, sheet: number) {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const blocks = useRef<{ of: unknown; sheet: number; held: Map<number, readonly (readonly string[])[]> }>({
    of: null,
    sheet: -1,
    held: new Map(),
  });
  if (blocks.current.of !== file || blocks.current.sheet !== sheet)
    blocks.current = { of: file, sheet, held: new Map() };
  const { held } = blocks.current;
  return {
    /** Undefined while it is on its way. */
    rowAt: (row: number) => held.get(Math.floor(row / block))?.[row % block],
    /** Asks for these rows, from 0. */
    want: (from: number, to: number) => {
      for (let at = Math.floor(from / block); at <= Math.floor(Math.max(from, to - 1) / block); at += 1) {
        if (held.has(at) || !file) continue;
        held.set(at, []);
        file.rows(sheet, at * block, block).then(
          (rows) => {
            held.set(at, rows);
            renderAgain();
          },
          () => held.delete(at),
        );
      }
    },
  };
}
