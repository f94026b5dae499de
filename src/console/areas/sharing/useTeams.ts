import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { useSignedIn } from "../session/index.ts";

import { teamQueries } from "./team-queries.ts";

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
