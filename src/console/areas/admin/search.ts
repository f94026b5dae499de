import { givenParams, textParam } from "../../lib/search-params.ts";

/** What of the administration stands in its address: the tab, its filters, and what is chosen. */
export interface AdminSearch {
  /** `people`, `teams`, `keys` or `sessions`; without it the first that the person may see. */
  tab?: string | undefined;
  q?: string | undefined;
  /** Of people and teams: only those that are so. */
  state?: string | undefined;
  /** The chosen person or team. */
  id?: string | undefined;
  /** Whose keys or sessions, where they are not one's own. */
  user?: string | undefined;
  team?: string | undefined;
}

/** Reads the address; what is not understood is left out. */
export function readAdminSearch(raw: Record<string, unknown>): AdminSearch {
  const { tab, q, state, id, user, team } = raw;
  return givenParams<AdminSearch>({
    tab: textParam(tab),
    q: textParam(q),
    state: textParam(state),
    id: textParam(id),
    user: textParam(user),
    team: textParam(team),
  });
}
