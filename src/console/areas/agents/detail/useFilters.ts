import { useMemo } from "react";
import type { SessionFilters } from "../../conversations/index.ts";

import type { AgentSearch } from "../search.ts";

/** What the service is asked for; the same object for the same address. */
export function useFilters({ q, state }: AgentSearch): SessionFilters {
  return useMemo(
    () => ({ ...(q !== undefined && { search: q }), ...(state !== undefined && { state }) }),
    [q, state],
  );
}
