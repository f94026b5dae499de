import { useState } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { type ImportReport, importKnown } from "./transfer/import-known.ts";

/** Where an import stands. `problem`: the file could not be read, in words. */
export type ImportState =
  | { readonly is: "none" }
  | { readonly is: "reading"; readonly share: number }
  | { readonly is: "done"; readonly report: ImportReport; readonly file: Blob }
  | { readonly is: "failed"; readonly problem: string };

const step = 1 << 20;
const biggest = 200_000_000;

/** Takes a file into what this browser knows. */
export function useImport() {
  const api = useApi();
  const [state, setState] = useState<ImportState>({ is: "none" });

  async function* bytesOf(file: Blob) {
    for (let at = 0; at < file.size; at += step) {
      setState({ is: "reading", share: at / file.size });
      yield new Uint8Array(await file.slice(at, at + step).arrayBuffer());
    }
  }

  async function take(file: Blob, sameServices: readonly string[] = []): Promise<void> {
    if (file.size > biggest) {
      setState({ is: "failed", problem: "It is bigger than 200 MB, which no browser writes." });
      return;
    }
    setState({ is: "reading", share: 0 });
    try {
      const report = await importKnown(bytesOf(file), {
        runs: api.history,
        conversations: api.conversations,
        as: api.id,
        service: location.origin,
        sameServices,
        now: api.clock.now(),
      });
      setState({ is: "done", report, file });
    } catch (error) {
      const said = error instanceof Error ? error.message : "";
      setState({ is: "failed", problem: `Nothing was changed. The browser says: ${said || "nothing more"}` });
    }
  }

  return { state, take };
}
