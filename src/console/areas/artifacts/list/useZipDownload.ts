import { useRef, useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { failedToast } from "../../../lib/failure/Failure.tsx";
import { saveBlob } from "../../../lib/files.ts";
import { useGoneSignal } from "../../../lib/useGoneSignal.ts";
import { counted } from "../../../lib/words.ts";
import { useToast } from "../../../ui/Toast.tsx";
import { filesIn, type ZipProgress, zipOf } from "../download-zip.ts";
import type { ArtifactIn } from "../queries.ts";

/**
 * Saves artifacts as one zip, and says what came of it.
 * @param onWhole all of them are in it
 * @returns `progress` is null while nothing is downloaded
 */
export function useZipDownload(rows: readonly ArtifactIn[], onWhole: () => void) {
  const api = useApi();
  const toaster = useToast();
  const [progress, setProgress] = useState<ZipProgress | null>(null);
  const reading = useRef<AbortController | null>(null);
  const gone = useGoneSignal();

  const download = async () => {
    if (progress !== null) return;
    const controller = new AbortController();
    reading.current = controller;
    const signal = AbortSignal.any([controller.signal, gone()]);
    let last: ZipProgress = { total: rows.length, done: 0, failed: [] };
    setProgress(last);
    try {
      const zip = await zipOf(api, rows, {
        signal,
        onProgress: (now) => {
          last = now;
          setProgress(now);
        },
      });
      if (zip) saveBlob(zip, `artifacts-${rows.length}.zip`);
      tell(last, zip !== null);
      if (last.failed.length === 0) onWhole();
    } catch (error) {
      if (!signal.aborted) fail("The files could not be downloaded", error);
    } finally {
      reading.current = null;
      setProgress(null);
    }
  };
  const fail = (title: string, error: unknown) => toaster.show(failedToast(title, error));
  const tell = ({ failed, done }: ZipProgress, isSaved: boolean) => {
    const [first] = failed;
    if (!first) {
      toaster.show({ tone: "done", title: `${counted(done, "file")} downloaded` });
      return;
    }
    const all = done + filesIn(failed);
    fail(
      isSaved ? `${done} of ${all} files are in the zip` : "The files could not be downloaded",
      first.error,
    );
  };
  return { progress, download: () => void download(), stop: () => reading.current?.abort() };
}
