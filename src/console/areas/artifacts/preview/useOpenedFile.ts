import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import {
  createFileClient,
  type FileClient,
  type FileTrouble,
  fileTroubleOf,
  type OpenedFile,
} from "../worker/file-client.ts";
import type { FileForm } from "../worker/file-service.ts";

/** A file that takes longer to read is given up. */
const timeoutMs = 60_000;

interface Reading {
  readonly file: OpenedFile | null;
  readonly trouble: FileTrouble | null;
}

const nothing: Reading = { file: null, trouble: null };

/** Opens files in a worker of their own, which ends with what shows them. Null asks for nothing yet. */
export function useOpened(start: ((client: FileClient) => Promise<OpenedFile>) | null): Reading {
  const { clock, workers } = useApi();
  const [reading, setReading] = useState(nothing);
  useEffect(() => {
    if (start === null) return;
    let isGone = false;
    const client = createFileClient(() => workers.start("files"));
    const stop = clock.after(timeoutMs, client.close);
    start(client)
      .then((file) => !isGone && setReading({ file, trouble: null }))
      .catch((error: unknown) => {
        if (!isGone) setReading({ file: null, trouble: fileTroubleOf(error) });
      })
      .finally(stop);
    return () => {
      isGone = true;
      stop();
      client.close();
      setReading(nothing);
    };
  }, [start, workers, clock]);
  return reading;
}

/** Bytes opened in one of the forms of a file. */
export function useOpenedFile(form: FileForm, bytes: Uint8Array): Reading {
  return useOpened(useCallback((client: FileClient) => client.open(form, copyOf(bytes)), [form, bytes]));
}

/** The worker takes what it is given, and others look at these bytes too. */
export const copyOf = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;

/** The rows of a sheet, of which those are asked for that a virtual list shows. */
export function useRowsInView(file: OpenedFile | null, sheet: number, items: readonly { index: number }[]) {
  const { want, ...rows } = useRows(file, sheet);
  useEffect(() => want(items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1));
  return rows;
}

const block = 200;

/** Rows of a sheet as they came, in blocks. */
interface Blocks {
  readonly of: OpenedFile | null;
  readonly sheet: number;
  readonly held: Map<number, readonly (readonly string[])[]>;
  isLost: boolean;
}

/** The rows of a sheet as they are looked at: those in view are asked for, and come a moment later. */
export function useRows(file: OpenedFile | null, sheet: number) {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const blocks = useRef<Blocks>({ of: null, sheet: -1, held: new Map(), isLost: false });
  if (blocks.current.of !== file || blocks.current.sheet !== sheet)
    blocks.current = { of: file, sheet, held: new Map(), isLost: false };
  const { current } = blocks;
  const { held } = current;
  return {
    /** The worker is gone, and with it all rows that it has not sent. */
    isLost: current.isLost,
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
          () => {
            current.isLost = true;
            renderAgain();
          },
        );
      }
    },
  };
}
