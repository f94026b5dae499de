import type { Ask } from "../../../api/connection.ts";
import type { Api } from "../../../lib/api.tsx";
import { createRunReader, type RunRead } from "./run-reader-client.ts";

/** Reads a run by the reader of this connection. Its own file: the reader comes with the first run that is read. */
export const askForRun =
  (api: Api, runId: string): Ask<RunRead> =>
  async (via, { previous: before, ...how }) => {
    const now = await api.keep(createRunReader).read(runId, how, via);
    // An end is an end (§3.2): a late word from before it does not make the run go on (C-31).
    return before && !before.moving && now.moving ? { ...before, settled: true } : now;
  };
