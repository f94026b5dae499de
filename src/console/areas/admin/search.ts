import { textParam } from "../../lib/search-params.ts";

/** What of the administration stands in its address: the tab, its filters, and what is chosen. */
export interface AdminSearch {
  /**
   * `people`, `teams`, `keys`, `sessions`, `connected`, `programs`, `permissions`, `audit` or `health`; without it the first
   * that the person may see.
   */
  tab?: string | undefined;
  q?: string | undefined;
  /** Of people and teams: only those that are so. */
  state?: string | undefined;
  /** The chosen person, team or entry. */
  id?: string | undefined;
  /** Whose keys or sessions, where they are not one's own; in the audit log who did it; of permissions whose. */
  user?: string | undefined;
  team?: string | undefined;
  /** Of permissions and the audit log: about what, by kind and id; of the log */
  object?: string | undefined;
  object_id?: string | undefined;
  action?: string | undefined;
  /** on which days, as `2026-11-20`, both included. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Reads the address; what is not understood is undefined. */
export function readAdminSearch(raw: Record<string, unknown>): AdminSearch {
  const { tab, q, state, id, user, team, object, object_id, action, from, to } = raw;
  return {
    tab: textParam(tab),
    q: textParam(q),
    state: textParam(state),
    id: textParam(id),
    user: textParam(user),
    team: textParam(team),
    object: textParam(object),
    object_id: textParam(object_id),
    action: textParam(action),
    from: textParam(from),
    to: textParam(to),
  };
}
