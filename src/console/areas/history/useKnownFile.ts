import { useEffect, useState, useSyncExternalStore } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { findSecret } from "../../lib/secret-warning/find-secret.ts";
import { writeKnown } from "./transfer/write-known.ts";

/** What this browser knows, as the file that would be exported. */
export interface KnownAsFile {
  readonly blob: Blob;
  /** Records that go without what was sent, since it looks as if it held a key. */
  readonly bare: number;
}

/** What this browser knows of the signed-in person's runs and conversations; `file` is null while it is being written. */
export function useKnownFile() {
  const api = useApi();
  const runs = useSyncExternalStore(api.history.list.subscribe, api.history.list.get);
  const talks = useSyncExternalStore(api.conversations.list.subscribe, api.conversations.list.get);
  const [file, setFile] = useState<KnownAsFile | null>(null);
  useEffect(() => {
    const wanted = new AbortController();
    const options = {
      owner: { service: location.origin, as: api.id },
      now: api.clock.now(),
      isSecret: (text: string) => findSecret(text) !== null,
      signal: wanted.signal,
    };
    writeKnown(runs, talks, options).then(
      ({ lines, bare }) => {
        if (wanted.signal.aborted) return;
        setFile({ blob: new Blob([...lines], { type: "application/x-ndjson" }), bare });
      },
      () => {
        // Given up: what is known has changed, and is written anew.
      },
    );
    return () => wanted.abort();
  }, [api, runs, talks]);
  return { runs, talks, file };
}
