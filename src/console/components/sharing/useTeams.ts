import { teamQueries } from "../../api/queries/teams.ts";
import { useApi } from "../api-context.tsx";
import { shownName } from "../conversation/shownName.ts";
import { useCan } from "../useCan.ts";
import { useRead } from "../useRead.ts";
import { useSignedIn } from "../wheelhouse-context.tsx";

export interface Teams {
  /** The teams that this person is in, as far as the service tells. */
  readonly mine: readonly { readonly id: string; readonly name: string }[];
  /** The team's name; its id where the service tells none. */
  readonly nameOf: (teamId: string) => string;
}

/** The person's teams by name: from `GET /teams` where the service has it, else what the sign-in learned. */
export function useTeams(): Teams {
  const api = useApi();
  const { teams: known } = useSignedIn();
  const read = useRead({ ...teamQueries.list(api), enabled: useCan("teams") });
  const mine = (read.data?.data.teams ?? known ?? []).flatMap(({ id, name }) =>
    id ? [{ id, name: shownName(name || id) }] : [],
  );
  return { mine, nameOf: (teamId) => mine.find(({ id }) => id === teamId)?.name ?? shownName(teamId) };
}
