import { textParam } from "../../lib/search-params.ts";

const names = [
  // `people`, `teams`, `keys`, `sessions`, `connected`, `programs`, `permissions`, `audit` or `health`; without it the first
  // that the person may see.
  "tab",
  "q",
  // Of people and teams: only those that are so.
  "state",
  // The chosen person, team or entry.
  "id",
  // Whose keys or sessions, where they are not one's own; in the audit log who did it; of permissions whose.
  "user",
  "team",
  // Of permissions and the audit log: about what, by kind and id; of the log
  "object",
  "object_id",
  "action",
  // on which days, as `2026-11-20`, both included.
  "from",
  "to",
] as const;

/** What of the administration stands in its address: the tab, its filters, and what is chosen. */
export type AdminSearch = { [N in (typeof names)[number]]?: string | undefined };

/** Reads the address; what is not understood is undefined. */
export const readAdminSearch = (raw: Record<string, unknown>): AdminSearch =>
  Object.fromEntries(names.map((name) => [name, textParam(raw[name])]));
