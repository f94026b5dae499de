import { justRead } from "../api/read.ts";
import type { Reader } from "./reads.ts";
import type { RouterContext } from "./router.tsx";

interface At {
  readonly context: RouterContext;
  readonly cause: "preload" | "enter" | "stay";
}

/**
 * For a route's loader: starts what its page reads, while the code of the page is on the way. It waits for nothing: the
 * page is drawn at once, shows what comes when it comes, and says what could not be read.
 * @param begin which of the reads
 */
export function startReads(
  at: At,
  begin: (reads: typeof import("./reads.ts"), reader: Reader) => void,
): void {
  const reader = readerOf(at);
  if (reader === null) return;
  // Without this code the page cannot come either, and says so.
  import("./reads.ts").then((reads) => begin(reads, reader)).catch(() => {});
}

/** @returns null while nobody is signed in, and where the page stays: it reads by itself what another search asks for */
export function readerOf({ context: { wheelhouse }, cause }: At): Reader | null {
  if (cause === "stay") return null;
  const api = wheelhouse.api.get();
  const state = wheelhouse.session.state.get();
  if (api === null || !("as" in state)) return null;
  return {
    api,
    teams: state.as.teams,
    start: (query) => {
      const staleTime = typeof query.staleTime === "number" ? query.staleTime : 0;
      void wheelhouse.queries.prefetchQuery({ ...query, staleTime: Math.max(staleTime, justRead) });
    },
  };
}
