import { useMemo } from "react";
import { useApi } from "../../../lib/api.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { parseTime } from "../../../lib/time/format.ts";
import { groupFiles, typeOf } from "../artifact-row.ts";
import { type ArtifactFilters, type ArtifactIn, type ArtifactScope, artifactPages } from "../queries.ts";
import type { ArtifactsSearch, Span } from "../search.ts";

const minute = 60_000;

/** The artifacts of a scope as far as they were read, filtered as the address says, versions under their file. */
export function useArtifactList(scope: ArtifactScope, search: ArtifactsSearch) {
  const api = useApi();
  const { kind } = scope;
  const now = useNow(search.since !== undefined, minute);
  const me = api.who.userId;
  const filters = filtersOf(search, kind, now, me);
  const { query, damage, more, rows } = usePages(artifactPages(api, scope, filters));
  const { of, type, by, since } = search;
  const shown = useMemo(() => {
    const narrow = { of, type, by, since };
    if (!narrowsHere(narrow, kind)) return rows;
    return rows.filter((row) => fits(row, narrow, now, me));
  }, [rows, kind, of, type, by, since, now, me]);
  const files = useMemo(() => groupFiles(shown), [shown]);
  const allFiles = useMemo(() => groupFiles(rows), [rows]);
  return {
    /** What the filters leave. */
    files,
    /** All that were read. */
    allFiles,
    query,
    queryKey: query.queryKey,
    damage,
    more,
  };
}

export type ListedArtifacts = ReturnType<typeof useArtifactList>;

/** How far back each span goes, in ms. */
const spans: Readonly<Record<Span, number>> = { "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 };
/** The beginning of a span moves in steps, so that a poll asks the same question as the one before it. */
const step = 300_000;

type Kind = ArtifactScope["kind"];

/** Whose artifacts are wanted, as a user id; undefined: anybody's. */
const creatorOf = ({ of, by }: ArtifactsSearch, me: string | null): string | undefined =>
  of === "mine" ? (me ?? undefined) : by;

/** What of an address the service applies: of one agent's list name and conversation (§4.8), of all also creator and time. */
function filtersOf(search: ArtifactsSearch, kind: Kind, now: number, me: string | null): ArtifactFilters {
  const { q, session, sort, since } = search;
  const creator = creatorOf(search, me);
  return {
    sort_order: sort ?? "newest",
    ...(q !== undefined && { search_query: q }),
    ...(session !== undefined && { session_id: session }),
    ...(kind === "all" && creator !== undefined && { creator }),
    ...(kind === "all" &&
      since !== undefined && {
        created_after: new Date(Math.floor(now / step) * step - spans[since]).toISOString(),
      }),
  };
}

/** Whether some filter looks only at what was read. */
export const narrowsHere = ({ of, type, by, since }: ArtifactsSearch, kind: Kind): boolean =>
  type !== undefined || (kind === "agent" && [of, by, since].some((one) => one !== undefined));

/** Whether anything at all narrows the list. */
export const isNarrowed = ({ of, q, agent, session, type, by, since }: ArtifactsSearch): boolean =>
  [of, q, agent, session, type, by, since].some((one) => one !== undefined);

/** The filters as this page applies them. `now` in ms; a file of unknown time fits no span. */
function fits(row: ArtifactIn, search: ArtifactsSearch, now: number, me: string | null): boolean {
  const creator = creatorOf(search, me);
  if (creator !== undefined && row.creator?.id !== creator) return false;
  if (search.type !== undefined && typeOf(row) !== search.type) return false;
  if (search.since === undefined) return true;
  const at = parseTime(row.created_at);
  return at !== null && now - at <= spans[search.since];
}
