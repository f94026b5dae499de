import type { SearchPort } from "../console/areas/search/worker/search-client.ts";
import { makeSearchHost, type SearchHostOptions } from "../console/areas/search/worker/search-host.ts";
import type { FromSearch } from "../console/areas/search/worker/search-messages.ts";

/** The search's worker without a worker: the same host, its messages copied as a worker's would be. */
export function searchPort(options: Partial<SearchHostOptions> = {}): SearchPort {
  let take: ((message: FromSearch) => void) | null = null;
  let open = true;
  const post = (message: FromSearch) => {
    const copy = structuredClone(message);
    queueMicrotask(() => open && take?.(copy));
  };
  const host = makeSearchHost(post, { fetch: (...args) => fetch(...args), ...options });
  return {
    postMessage: (message) => host(structuredClone(message)),
    listen: (onMessage) => {
      take = onMessage;
    },
    terminate: () => {
      open = false;
    },
  };
}
