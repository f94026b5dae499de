import { justRead } from "../api/read.ts";
import type { Reader, To } from "./reads.ts";
import type { RouterContext } from "./router.tsx";

interface At {
  readonly context: RouterContext;
  readonly cause: "preload" | "enter" | "stay";
}

type Reads = typeof import("./reads.ts");

/**
 * A route's loader: starts what its page reads, while the code of the page is on the way. It waits for nothing: the page is
 * drawn at once, shows what comes when it comes, and says what could not be read.
 * @param page which of the reads
 */
export function startReads(page: keyof Reads) {
  return (at: At): void => {
    const reader = readerOf(at);
    if (reader === null) return;
    // The parameters are those of the route. Without this code the page cannot come either, and says so.
    import("./reads.ts").then((reads) => reads[page](reader, at as never)).catch(() => {});
  };
}

/** The same for reads whose code is here already. */
export function startNow(read: (reader: Reader, to: To) => void) {
  return (at: At): void => {
    const reader = readerOf(at);
    // As above.
    if (reader !== null) read(reader, at as never);
  };
}

/** @returns null while nobody is signed in, and where the page stays: it reads by itself what another search asks for */
function readerOf({ context: { wheelhouse }, cause }: At): Reader | null {
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
    startPages: (query) => void wheelhouse.queries.prefetchInfiniteQuery(query),
  };
}
