import { getDocument, type PDFDocumentProxy, PDFWorker } from "pdfjs-dist";
import { useEffect, useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import type { Workers } from "../../../lib/workers/workers.ts";
import type { FileTrouble } from "../worker/file-client.ts";

/** A page's size in points. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

interface OpenPdf {
  readonly pdf: PDFDocumentProxy;
  /** Of the first page; the others are taken to be like it until they are drawn. */
  readonly size: PageSize;
}

interface Reading {
  readonly open: OpenPdf | null;
  readonly trouble: FileTrouble | null;
}

const nothing: Reading = { open: null, trouble: null };

/** Opens a PDF in a worker of its own. Scripts in it are never run, and nothing but its own bytes is read. */
export function usePdf(bytes: Uint8Array | undefined): Reading {
  const { workers } = useApi();
  const [reading, setReading] = useState(nothing);
  useEffect(() => {
    if (bytes === undefined) return;
    let isGone = false;
    const stop = () => !isGone && setReading({ open: null, trouble: "no reader" });
    const port = started(workers);
    if (port === null) {
      stop();
      return () => setReading(nothing);
    }
    const worker = PDFWorker.create({ port });
    const task = getDocument({
      // Copied, because the worker takes what it is given.
      data: bytes.slice(),
      worker,
      isEvalSupported: false,
      useWasm: false,
      useWorkerFetch: false,
      enableXfa: false,
      disableAutoFetch: true,
      disableStream: true,
      verbosity: 0,
    });
    const fail = (error: unknown) => {
      if (isGone) return;
      setReading({
        open: null,
        trouble: error instanceof Error && error.name === "PasswordException" ? "protected" : "broken",
      });
    };
    // It will not answer any more: pdf.js waits for it without end.
    for (const event of ["error", "messageerror"]) port.addEventListener(event, stop);
    task.promise
      .then(async (pdf) => {
        const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
        if (!isGone) setReading({ open: { pdf, size: { width, height } }, trouble: null });
      })
      .catch(fail);
    return () => {
      isGone = true;
      setReading(nothing);
      void task
        .destroy()
        .catch(() => {})
        .finally(() => {
          worker.destroy();
          port.terminate();
        });
    };
  }, [bytes, workers]);
  return reading;
}

function started(workers: Workers): Worker | null {
  try {
    return workers.startPlain("pdf");
  } catch {
    return null;
  }
}
