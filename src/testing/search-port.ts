import type { SearchPort } from "../console/areas/search/worker/search-client.ts";
import { makeSearchDesk, type SearchDeskOptions } from "../console/areas/search/worker/search-desk.ts";
import type { FromSearch } from "../console/areas/search/worker/search-messages.ts";

/** The search's worker without a worker: the same desk, its messages copied as a worker's would be. */
export function searchPort(options: Partial<SearchDeskOptions> = {}): SearchPort {
  let take: ((message: FromSearch) => void) | null = null;
  let open = true;
  const post = (message: FromSearch) => {
    const copy = structuredClone(message);
    queueMicrotask(() => open && take?.(copy));
  };
  const desk = makeSearchDesk(post, { fetch: (...args) => fetch(...args), ...options });
  return {
    postMessage: (message) => desk(structuredClone(message)),
    listen: (onMessage) => {
      take = onMessage;
    },
    terminate: () => {
      open = false;
    },
  };
}
