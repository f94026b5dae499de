import { useMemo } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { type KnownTeam, useSignedIn } from "../session/index.ts";

import { mcpQueries } from "./queries.ts";
import { joinServers } from "./servers.ts";

/**
 * The catalogue as the person has it and, beside it, as the chosen team has it.
 * @param inBackground no page shows it: its first read waits for its turn (C-36)
 */
export function useServers(teamId?: string, inBackground = false) {
  const api = useApi();
  const { teams } = useSignedIn();
  const isTeamKey = api.who.kind === "team";
  const chosen: KnownTeam | null = useMemo(() => {
    const id = isTeamKey ? api.who.teamId : (teamId ?? api.who.teamId ?? teams?.[0]?.id ?? null);
    return id === null ? null : (teams?.find((team) => team.id === id) ?? { id, name: id });
  }, [api, isTeamKey, teamId, teams]);
  const mine = useRead({ ...mcpQueries.servers(api, null, inBackground), enabled: !isTeamKey });
  const team = useRead({
    ...mcpQueries.servers(api, chosen?.id ?? null, inBackground),
    enabled: chosen !== null,
  });
  const query = isTeamKey ? team : mine;
  const rows = useMemo(
    () => joinServers(isTeamKey ? null : mine.data?.data.servers, team.data?.data.servers),
    [isTeamKey, mine.data, team.data],
  );
  return {
    rows,
    isTeamKey,
    team: chosen,
    /** The team's list could not be read, while the person's could. */
    teamError: !isTeamKey && team.isError && team.data === undefined ? team.error : null,
    query: {
      ...query,
      refetch: async () => {
        await Promise.all([...(isTeamKey ? [] : [mine.refetch()]), ...(chosen ? [team.refetch()] : [])]);
      },
    },
    damage: [...(query.data?.damage ?? []), ...(isTeamKey ? [] : (team.data?.damage ?? []))],
  };
}
