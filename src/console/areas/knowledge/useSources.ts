import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { usePages } from "../../lib/paging/usePages.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { useSignedIn } from "../session/index.ts";

import { sourcePages } from "./queries.ts";
import { groupSources, mayApprove, type SourceIn } from "./sources.ts";
import { usePutOff } from "./usePutOff.ts";

const minute = 60_000;

/**
 * The sources that this key can see, as an inbox: what waits for this person first.
 * @param inBackground no page shows it: its first read waits for its turn (C-36)
 */
export function useSources(inBackground = false) {
  const api = useApi();
  const { teams } = useSignedIn();
  const canList = useCan("knowledge_sources");
  const {
    query,
    rows: sources,
    damage,
    more,
  } = usePages(sourcePages(api, inBackground), { enabled: canList });
  const later = usePutOff();
  const now = useNow(true, minute);
  const who = { ...api.who, teams: teams?.map((team) => team.id) ?? null };
  const mine = (source: SourceIn) => mayApprove(source, who);
  return {
    canList,
    query,
    sources,
    groups: groupSources(sources, later.putOff, now, mine),
    mine,
    more,
    damage,
    ...later,
  };
}
